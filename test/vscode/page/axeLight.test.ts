import { testWithAxe } from './axeStates.ts';

testWithAxe(['light', 'hc-light'], 'hc-light');
