// SPDX-License-Identifier: MIT OR Apache-2.0
// What a program compiled for WASI (preview 1) asks of a system, as far as clang and the workbook's check need it: arguments,
// standard streams, a clock, random bytes, and files that lie in memory.

"use strict";

// Numbers of WASI's errors.
const ERRNO = { badf: 8, exist: 20, inval: 28, isdir: 31, noent: 44, nosys: 52, notdir: 54, notempty: 55, perm: 63, spipe: 70 };
const TYPE = { character: 2, directory: 3, file: 4 };
const ALL_RIGHTS = 0xffffffffffffffffn;

class Exit extends Error {
  constructor(code) {
    super(`the program ended with ${code}`);
    this.code = code;
  }
}

// A file whose bytes are in memory; `read`, where given, makes them when it is opened to be read.
class File {
  constructor(bytes = new Uint8Array(0), read = null) {
    Object.assign(this, { bytes, size: bytes.length, read });
  }

  contents() {
    return this.bytes.subarray(0, this.size);
  }

  resize(size) {
    if (size > this.bytes.length) {
      const larger = new Uint8Array(Math.max(size, 2 * this.bytes.length));
      larger.set(this.contents());
      this.bytes = larger;
    } else {
      this.bytes.fill(0, size, this.size);
    }
    this.size = size;
  }

  write(at, bytes) {
    if (at + bytes.length > this.size) {
      this.resize(at + bytes.length);
    }
    this.bytes.set(bytes, at);
  }
}

class Folder {
  constructor() {
    this.entries = new Map();
  }

  // The node at a path from here, if there is one.
  find(path) {
    let node = this;
    for (const name of parts(path)) {
      node = node instanceof Folder ? node.entries.get(name) : undefined;
    }
    return node;
  }

  // The folder in which a path's last part is, and that part.
  parent(path) {
    const names = parts(path);
    const name = names.pop();
    const folder = this.find(names.join("/"));
    return folder instanceof Folder && name !== undefined ? [folder, name] : null;
  }

  // Puts a node at a path; folders on the way are made.
  put(path, node) {
    const names = parts(path);
    const name = names.pop();
    let folder = this;
    for (const part of names) {
      if (!folder.entries.has(part)) {
        folder.entries.set(part, new Folder());
      }
      folder = folder.entries.get(part);
    }
    folder.entries.set(name, node);
  }
}

function parts(path) {
  const names = [];
  for (const name of path.split("/")) {
    if (name === "..") {
      names.pop();
    } else if (name !== "" && name !== ".") {
      names.push(name);
    }
  }
  return names;
}

// Runs a program to its end; its code, and what it wrote to its standard streams.
function runProgram(module, { words, environment = [], root, input = new Uint8Array(0) }) {
  const utf8 = new TextEncoder();
  const text = (bytes) => new TextDecoder().decode(bytes);
  const streams = [new File(input), new File(), new File()];
  const open = streams.map((node) => ({ node, at: 0, isStream: true }));
  open.push({ node: root, path: "/" });
  const numbers = new Map(); // of files, so that a program knows one that it has seen
  let memory;
  const view = () => new DataView(memory.buffer);
  const bytes = (at, length) => new Uint8Array(memory.buffer, at, length);
  const string = (at, length) => text(bytes(at, length));
  const lists = (at, count) => {
    const from = view();
    return Array.from({ length: count }, (_, place) => bytes(from.getUint32(at + 8 * place, true), from.getUint32(at + 8 * place + 4, true)));
  };
  const opened = (fd) => open[fd] ?? null;
  const below = (fd, at, length) => (opened(fd)?.node instanceof Folder ? [open[fd].node, string(at, length)] : null);
  const put32 = (at, value) => view().setUint32(at, value, true);
  const put64 = (at, value) => view().setBigUint64(at, BigInt(value), true);

  const kind = (node) => (node instanceof Folder ? TYPE.directory : TYPE.file);
  const number = (node) => {
    if (!numbers.has(node)) {
      numbers.set(node, numbers.size + 1);
    }
    return numbers.get(node);
  };
  const stat = (node, at, isStream) => {
    bytes(at, 64).fill(0);
    put64(at + 8, number(node));
    view().setUint8(at + 16, isStream ? TYPE.character : kind(node));
    put64(at + 24, 1);
    put64(at + 32, node instanceof Folder ? 0 : node.size);
    return 0;
  };
  const read = (fd, list, count, from, done) => {
    const file = opened(fd);
    if (!file || !(file.node instanceof File)) {
      return file ? ERRNO.isdir : ERRNO.badf;
    }
    let at = from ?? file.at;
    let total = 0;
    for (const room of lists(list, count)) {
      const some = file.node.contents().subarray(at, at + room.length);
      room.set(some);
      at += some.length;
      total += some.length;
    }
    if (from === null) {
      file.at = at;
    }
    put32(done, total);
    return 0;
  };
  const write = (fd, list, count, from, done) => {
    const file = opened(fd);
    if (!file || !(file.node instanceof File)) {
      return ERRNO.badf;
    }
    let at = from ?? (file.isStream || file.appends ? file.node.size : file.at);
    let total = 0;
    for (const some of lists(list, count)) {
      file.node.write(at, some);
      at += some.length;
      total += some.length;
    }
    if (from === null) {
      file.at = at;
    }
    put32(done, total);
    return 0;
  };
  // Words as C has them: addresses in one place, texts that end in zero in another.
  const strings = (all) => ({
    get(addresses, at) {
      for (const word of all) {
        put32(addresses, at);
        addresses += 4;
        const coded = utf8.encode(`${word}\0`);
        bytes(at, coded.length).set(coded);
        at += coded.length;
      }
      return 0;
    },
    sizes(count, size) {
      put32(count, all.length);
      put32(size, all.reduce((sum, word) => sum + utf8.encode(word).length + 1, 0));
      return 0;
    },
  });
  const [given, surroundings] = [strings(words), strings(environment)];

  const functions = {
    args_get: given.get,
    args_sizes_get: given.sizes,
    environ_get: surroundings.get,
    environ_sizes_get: surroundings.sizes,
    clock_time_get(id, _, at) {
      const now = id === 0 ? Date.now() : performance.now();
      put64(at, BigInt(Math.round(now * 1e3)) * 1000n);
      return 0;
    },
    random_get(at, length) {
      for (let from = 0; from < length; from += 65536) {
        crypto.getRandomValues(bytes(at + from, Math.min(65536, length - from)));
      }
      return 0;
    },
    proc_exit(code) {
      throw new Exit(code);
    },
    sched_yield: () => 0,
    fd_close(fd) {
      if (!opened(fd)) {
        return ERRNO.badf;
      }
      open[fd] = undefined;
      return 0;
    },
    fd_fdstat_get(fd, at) {
      const file = opened(fd);
      if (!file) {
        return ERRNO.badf;
      }
      bytes(at, 24).fill(0);
      view().setUint8(at, file.isStream ? TYPE.character : kind(file.node));
      put64(at + 8, ALL_RIGHTS);
      put64(at + 16, ALL_RIGHTS);
      return 0;
    },
    fd_filestat_get(fd, at) {
      const file = opened(fd);
      return file ? stat(file.node, at, file.isStream) : ERRNO.badf;
    },
    fd_filestat_set_size(fd, size) {
      opened(fd).node.resize(Number(size));
      return 0;
    },
    fd_filestat_set_times: () => 0,
    fd_fdstat_set_flags: () => 0,
    fd_sync: () => 0,
    fd_prestat_get(fd, at) {
      const path = opened(fd)?.path;
      if (path === undefined) {
        return ERRNO.badf;
      }
      put32(at, 0);
      put32(at + 4, path.length);
      return 0;
    },
    fd_prestat_dir_name(fd, at, length) {
      bytes(at, length).set(utf8.encode(opened(fd).path).subarray(0, length));
      return 0;
    },
    fd_read: (fd, list, count, done) => read(fd, list, count, null, done),
    fd_pread: (fd, list, count, from, done) => read(fd, list, count, Number(from), done),
    fd_write: (fd, list, count, done) => write(fd, list, count, null, done),
    fd_pwrite: (fd, list, count, from, done) => write(fd, list, count, Number(from), done),
    fd_seek(fd, offset, whence, at) {
      const file = opened(fd);
      if (!file || file.isStream) {
        return file ? ERRNO.spipe : ERRNO.badf;
      }
      file.at = [0, file.at, file.node.size][whence] + Number(offset);
      put64(at, file.at);
      return 0;
    },
    fd_tell(fd, at) {
      put64(at, opened(fd).at);
      return 0;
    },
    fd_readdir(fd, at, length, cookie, used) {
      const folder = opened(fd)?.node;
      if (!(folder instanceof Folder)) {
        return ERRNO.notdir;
      }
      let written = 0;
      [...folder.entries].slice(Number(cookie)).every(([name, node], place) => {
        const coded = utf8.encode(name);
        const entry = new Uint8Array(24 + coded.length);
        const fields = new DataView(entry.buffer);
        fields.setBigUint64(0, cookie + BigInt(place + 1), true);
        fields.setBigUint64(8, BigInt(number(node)), true);
        fields.setUint32(16, coded.length, true);
        fields.setUint8(20, kind(node));
        entry.set(coded, 24);
        const some = entry.subarray(0, length - written);
        bytes(at + written, some.length).set(some);
        written += some.length;
        return written < length;
      });
      put32(used, written);
      return 0;
    },
    path_open(fd, _, at, length, flags, rights, __, state, result) {
      const [folder, path] = below(fd, at, length) ?? [];
      if (!folder) {
        return ERRNO.notdir;
      }
      const [creates, wantsFolder, exclusive, empties] = [1, 2, 4, 8].map((bit) => (flags & bit) !== 0);
      let node = folder.find(path);
      if (node && exclusive && creates) {
        return ERRNO.exist;
      }
      if (!node && creates) {
        const place = folder.parent(path);
        if (!place) {
          return ERRNO.noent;
        }
        node = new File();
        place[0].entries.set(place[1], node);
      }
      if (!node) {
        return ERRNO.noent;
      }
      if (wantsFolder && !(node instanceof Folder)) {
        return ERRNO.notdir;
      }
      if (node instanceof File) {
        if (empties) {
          node.resize(0);
        } else if (node.read) {
          node = new File(node.read());
        }
      }
      put32(result, open.push({ node, at: 0, appends: (state & 1) !== 0 }) - 1);
      return 0;
    },
    path_filestat_get(fd, _, at, length, result) {
      const [folder, path] = below(fd, at, length) ?? [];
      const node = folder?.find(path);
      return node ? stat(node, result, false) : ERRNO.noent;
    },
    path_create_directory(fd, at, length) {
      const [folder, path] = below(fd, at, length) ?? [];
      if (!folder?.parent(path)) {
        return ERRNO.noent;
      }
      if (folder.find(path)) {
        return ERRNO.exist;
      }
      folder.put(path, new Folder());
      return 0;
    },
    path_rename(fd, at, length, newFd, newAt, newLength) {
      const [from, to] = [below(fd, at, length), below(newFd, newAt, newLength)];
      const [old, renamed] = [from?.[0].parent(from[1]), to?.[0].parent(to[1])];
      const node = old?.[0].entries.get(old[1]);
      if (!node || !renamed) {
        return ERRNO.noent;
      }
      old[0].entries.delete(old[1]);
      renamed[0].entries.set(renamed[1], node);
      return 0;
    },
    path_unlink_file: (fd, at, length) => remove(fd, at, length, File),
    path_remove_directory: (fd, at, length) => remove(fd, at, length, Folder),
    path_readlink: () => ERRNO.inval,
  };
  const remove = (fd, at, length, type) => {
    const [folder, path] = below(fd, at, length) ?? [];
    const node = folder?.find(path);
    if (!node) {
      return ERRNO.noent;
    }
    if (!(node instanceof type)) {
      return type === File ? ERRNO.isdir : ERRNO.notdir;
    }
    if (type === Folder && node.entries.size > 0) {
      return ERRNO.notempty;
    }
    const [parent, name] = folder.parent(path);
    parent.entries.delete(name);
    return 0;
  };
  const system = {};
  for (const { module: from, name } of WebAssembly.Module.imports(module)) {
    system[from] ??= {};
    system[from][name] = functions[name] ?? (() => ERRNO.nosys);
  }
  const instance = new WebAssembly.Instance(module, system);
  memory = instance.exports.memory;
  let code = 0;
  try {
    instance.exports._start();
  } catch (error) {
    if (!(error instanceof Exit)) {
      throw Object.assign(error, { said: text(streams[2].contents()) });
    }
    code = error.code;
  }
  return { code, output: text(streams[1].contents()), log: text(streams[2].contents()) };
}
