import { testWithAxe } from './axeStates.ts';

testWithAxe(['dark', 'hc-dark'], 'dark');
