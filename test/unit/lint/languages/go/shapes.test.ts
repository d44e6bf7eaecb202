import { testShapes } from '../shapeTests.ts';

testShapes('go', 20, 0.7);
