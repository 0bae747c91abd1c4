/** For tests of missing programs, which mock programs.ts by `movable`. */
const USUAL = '/usr/bin';

export const system = {
  dir: USUAL,
  reset() {
    this.dir = USUAL;
  },
};

export const movable = (original: object): object => ({
  ...original,
  get PROGRAM_DIR() {
    return system.dir;
  },
});
