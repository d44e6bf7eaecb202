import { testShapes } from '../shapeTests.ts';

testShapes('csharp', 20, 0.6);
