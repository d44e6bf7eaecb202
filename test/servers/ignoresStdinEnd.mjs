// Keeps running when its stdin ends; SIGTERM stops it.
import { serve } from './support/stdioServer.mjs';

setInterval(() => undefined, 60_000);
serve();
