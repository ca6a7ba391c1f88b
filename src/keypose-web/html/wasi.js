// The C libraries of the editor name calls of a system. One is made, for the files that are open: there is none (EBADF of WASI).
const require = () => new Proxy({}, { get: () => () => 8 });
