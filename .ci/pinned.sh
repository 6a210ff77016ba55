# For `.ci/run` and `.ci/long` to source.

# Installs packages with their versions, which `.ci/packages.txt` lists with their hashes, into a folder.
install_pinned() { # folder, packages
    python3 -m pip install --quiet --disable-pip-version-check --no-deps --target "$1" --require-hashes \
        --requirement <(for package in "${@:2}"; do grep "^$package " .ci/packages.txt; done)
}
