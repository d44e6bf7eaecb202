import { testWithAxe } from './axeStates.ts';
import { STATES } from './states.ts';

testWithAxe(STATES.filter(({ name }) => name.startsWith('details')));
