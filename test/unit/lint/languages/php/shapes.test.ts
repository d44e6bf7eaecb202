import { testShapes } from '../shapeTests.ts';

testShapes('php', 20, 0.6);
