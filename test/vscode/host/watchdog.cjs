// Preloaded into the VS Code server (node --require). When the process that started it is gone, even by SIGKILL, the other end of
// standard input closes and the server's whole process group goes. Processes that the server forks inherit the
// preload and have another standard input, hence the look at which script this is.
if (/server-main\.js$/.test(process.argv[1] ?? '')) {
  process.stdin.on('end', () => process.kill(-process.pid, 'SIGKILL')).resume();
  process.stdin.unref?.();
}
