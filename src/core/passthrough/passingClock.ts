import type { Clock } from '../../base/clock.ts';

/** A clock that shows when what is being recorded passed; its timers are another's. */
export interface PassingClock extends Clock {
  set(monoUs: number, wallOriginUs: number): void;
}

export function createPassingClock(timers: Clock): PassingClock {
  let monoUs = timers.monoUs();
  let wallOriginUs = timers.wallUs() - monoUs;
  return {
    wallUs: () => Math.round(monoUs + wallOriginUs),
    monoUs: () => Math.round(monoUs),
    sleep: (ms, signal) => timers.sleep(ms, signal),
    setTimer: (ms, callback) => timers.setTimer(ms, callback),
    set(nextMonoUs, nextWallOriginUs) {
      monoUs = nextMonoUs;
      wallOriginUs = nextWallOriginUs;
    },
  };
}
