/**
 * How much of everything one run does.
 * @typedef {object} Amounts
 * @property {number} rounds Of what is timed call by call.
 * @property {number} warmUpRounds
 * @property {number} daemonWarmUpMs Once, before a daemon gets its first load.
 * @property {number} loadWarmUpMs Before each load.
 * @property {number} measuredMs Of each load.
 * @property {readonly number[]} clients That start at the same moment.
 * @property {number} memoryEvents
 * @property {number} quietMs Without events, before the memory of a daemon is read again.
 * @property {number} batchRounds
 * @property {number} batchRows At most.
 * @property {number} callWarmUps Calls of a client or a server before they are timed.
 * @property {number} startUps Of each command.
 * @property {number} pythonRounds
 * @property {number} transcriptCalls
 * @property {number} records Of a journal.
 * @property {{ readonly warmUps: number, readonly rounds: number, readonly roundMs: number }} rate
 * @property {{ readonly pointMs: number, readonly sizes: number }} growth
 * @property {number} imports
 */

/** With fewer, the figures say little. */
export const FULL_ROUNDS = 500

/** @type {Omit<Amounts, 'rounds'>} */
const FULL = {
  warmUpRounds: 5,
  daemonWarmUpMs: 3_000,
  loadWarmUpMs: 1_500,
  measuredMs: 5_000,
  clients: [200, 2_000],
  memoryEvents: 100_000,
  // After half a minute without events the daemon collects; the rest is for the collection itself.
  quietMs: 40_000,
  batchRounds: 7,
  batchRows: Number.POSITIVE_INFINITY,
  callWarmUps: 300,
  startUps: 25,
  pythonRounds: 200,
  transcriptCalls: 100_000,
  records: 5_000,
  rate: { warmUps: 20_000, rounds: 3, roundMs: 700 },
  growth: { pointMs: 150, sizes: Number.POSITIVE_INFINITY },
  imports: 7,
}

/** Shows that every part runs. Its figures say nothing. */
const SMALLEST = {
  warmUpRounds: 1,
  daemonWarmUpMs: 200,
  loadWarmUpMs: 100,
  measuredMs: 200,
  clients: [20],
  memoryEvents: 500,
  quietMs: 100,
  batchRounds: 1,
  batchRows: 200,
  callWarmUps: 5,
  startUps: 1,
  pythonRounds: 2,
  transcriptCalls: 400,
  records: 100,
  rate: { warmUps: 100, rounds: 1, roundMs: 20 },
  growth: { pointMs: 5, sizes: 2 },
  imports: 1,
}

/**
 * A run with few rounds does less in all its parts, and one with fewer than ten the smallest amount.
 * @param {number} rounds
 * @returns {Amounts}
 */
export function amountsFor(rounds) {
  if (rounds >= FULL_ROUNDS) return { rounds, ...FULL }
  if (rounds < 10) return { rounds, ...SMALLEST }
  return {
    rounds,
    ...FULL,
    measuredMs: 1_500,
    memoryEvents: 10_000,
    startUps: 15,
    pythonRounds: 20,
    transcriptCalls: 40_000,
  }
}
