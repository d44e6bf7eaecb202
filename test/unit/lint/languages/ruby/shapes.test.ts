import { testShapes } from '../shapeTests.ts';

testShapes('ruby', 20, 0.6);
