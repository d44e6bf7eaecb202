import { testShapes } from '../shapeTests.ts';

testShapes('rust', 20, 0.6);
