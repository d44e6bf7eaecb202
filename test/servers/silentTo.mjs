// Never answers the method that argv names.
import process from 'node:process';
import { serve } from './support/stdioServer.mjs';

serve({ onRequest: ({ method }) => method === process.argv[2] });
