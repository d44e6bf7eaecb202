// Answers every call with "done". The one to compare the others with.
import { serve } from './support/stdioServer.mjs';

serve();
