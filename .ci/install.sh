# For `.ci/run` and `.ci/long` to source: what they need and a machine may lack.

# Installs packages with their versions, which `.ci/packages.txt` lists with their hashes, into a folder.
install_pinned() { # folder, packages
    python3 -m pip install --quiet --disable-pip-version-check --no-deps --target "$1" --require-hashes \
        --requirement <(for package in "${@:2}"; do grep "^$package " .ci/packages.txt; done)
}

# Chromium and node, if the system's packages can be installed. Else what needs them is skipped, and says so.
install_browser() {
    { command -v chromium && command -v node; } > /dev/null ||
        { apt-get update -qq && apt-get install -y -qq chromium nodejs; } || true
}
