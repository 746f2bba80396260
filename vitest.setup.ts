import fc from 'fast-check'

/**
 * Property tests draw the same inputs in every run, so that a run says something about a change and nothing about luck.
 * `HOLDPOINT_SEED=random` draws others; a failure prints the seed to play it again with `HOLDPOINT_SEED=<seed>`.
 */
const { HOLDPOINT_SEED: seed = '20260115' } = process.env
if (seed !== 'random') fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: Number(seed) })
