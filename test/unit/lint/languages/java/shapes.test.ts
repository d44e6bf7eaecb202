import { testShapes } from '../shapeTests.ts';

testShapes('java', 20, 0.6);
