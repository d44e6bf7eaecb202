// @ts-check
/** Something that a run needs and that could not be had. The message says what, why, and how a person can provide it. */
export class Unavailable extends Error {
  /**
   * @param {string} what
   * @param {unknown} why
   * @param {string} remedy
   */
  constructor(what, why, remedy) {
    super(
      `Could not get ${what}.\n  Why: ${why instanceof Error ? why.message : String(why)}\n  What helps: ${remedy}`,
    );
    this.name = 'Unavailable';
  }
}

/** A step that failed and whose own output says why: a stack would say nothing more. */
export class StepFailed extends Error {}
