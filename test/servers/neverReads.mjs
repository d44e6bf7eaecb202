// Never reads its stdin, so that a large message fills the pipe and stays there.
setInterval(() => undefined, 60_000);
