import { expect, it } from 'vitest';
import { demoStdio, mockCommand, playDemo, projection, recorded, serveDemo, serveMock } from './scene.ts';

it('gives the demo, every outcome of it, the same projection as the servers that were recorded', async () => {
  const demo = await serveDemo();
  const events = await playDemo(demoStdio, demo.url);
  await demo.close();
  const file = await recorded(events, 'demo');

  const mock = await serveMock(file, '--server', 'bookshop-http');
  const again = await playDemo(mockCommand(file, '--server', 'bookshop'), mock.url);
  await mock.close();

  const outcomes = new Set(projection(events).map((line) => line.split(' | ')[5]));
  expect(outcomes.size).toBeGreaterThanOrEqual(11);
  expect(projection(again)).toEqual(projection(events));
});
