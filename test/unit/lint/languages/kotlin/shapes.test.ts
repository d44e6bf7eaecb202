import { testShapes } from '../shapeTests.ts';

testShapes('kotlin', 20, 0.6);
