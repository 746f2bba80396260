/**
 * Horizontal bars as SVG, without a library and without measuring text: every position follows from the
 * number of rows, so the same figures give the same file. Colours follow the reader's light or dark scheme.
 */
const WIDTH = 760
const LABEL_WIDTH = 210
const VALUE_WIDTH = 110
const ROW_HEIGHT = 30
const TOP = 64
const BAR_WIDTH = WIDTH - LABEL_WIDTH - VALUE_WIDTH

/**
 * A bar ends at `value`, its whisker at `most`.
 * @typedef {object} Bar
 * @property {string} label
 * @property {number} value
 * @property {number} [most]
 * @property {boolean} isOurs
 * @property {string} text
 */

/** @typedef {{ readonly at: number, readonly text: string }} Tick */
/** @typedef {(value: number) => number} Place */

/**
 * @param {object} plot
 * @param {string} plot.title
 * @param {string} plot.subtitle
 * @param {readonly Bar[]} plot.rows
 * @param {'log' | 'linear'} plot.scale
 * @param {readonly Tick[]} plot.ticks
 */
export function barPlot({ title, subtitle, rows, scale, ticks }) {
  const place = scale === 'log' ? logPlace(ticks) : linearPlace(ticks)
  const height = TOP + rows.length * ROW_HEIGHT + 34
  const bottom = TOP + rows.length * ROW_HEIGHT
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${height}" viewBox="0 0 ${WIDTH} ${height}" role="img" aria-label="${asXml(title)}">
<style>
text { font: 13px system-ui, sans-serif; fill: #1f2328; }
.paper { fill: #ffffff; }
.title { font-size: 16px; font-weight: 600; }
.quiet { fill: #59636e; font-size: 12px; }
.grid { stroke: #8c959f; stroke-opacity: 0.35; }
.ours { fill: #1f883d; }
.other { fill: #8c959f; }
.whisker { stroke: #59636e; stroke-width: 1.5; }
@media (prefers-color-scheme: dark) {
  .paper { fill: #0d1117; }
  text { fill: #e6edf3; }
  .quiet { fill: #9198a1; }
  .ours { fill: #3fb950; }
  .whisker { stroke: #c9d1d9; }
}
</style>
<rect class="paper" width="${WIDTH}" height="${height}" rx="6"/>
<text class="title" x="12" y="24">${asXml(title)}</text>
<text class="quiet" x="12" y="44">${asXml(subtitle)}</text>
${ticks.map((tick) => gridLine(tick, place(tick.at), bottom)).join('\n')}
${rows.map((row, i) => bar(row, TOP + i * ROW_HEIGHT, place)).join('\n')}
</svg>
`
}

/**
 * @param {Tick} tick
 * @param {number} x
 * @param {number} bottom
 */
function gridLine({ text }, x, bottom) {
  return `<line class="grid" x1="${x}" x2="${x}" y1="${TOP - 6}" y2="${bottom + 4}"/><text class="quiet" x="${x}" y="${bottom + 20}" text-anchor="middle">${text}</text>`
}

/**
 * @param {Bar} row
 * @param {number} y
 * @param {Place} place
 */
function bar({ label, value, most, isOurs, text }, y, place) {
  const middle = y + 11
  const end = place(value)
  const whisker =
    most === undefined
      ? ''
      : `<line class="whisker" x1="${end}" x2="${place(most)}" y1="${middle}" y2="${middle}"/><line class="whisker" x1="${place(most)}" x2="${place(most)}" y1="${middle - 5}" y2="${middle + 5}"/>`
  return [
    `<text x="${LABEL_WIDTH - 10}" y="${y + 15}" text-anchor="end">${asXml(label)}</text>`,
    `<rect class="${isOurs ? 'ours' : 'other'}" x="${LABEL_WIDTH}" y="${y + 1}" width="${round(Math.max(1, end - LABEL_WIDTH))}" height="20" rx="2"/>`,
    whisker,
    `<text x="${WIDTH - 12}" y="${y + 15}" text-anchor="end">${asXml(text)}</text>`,
  ].join('')
}

/**
 * @param {readonly Tick[]} ticks
 * @returns {Place}
 */
function logPlace(ticks) {
  const [low, high] = [Math.log(ticks[0]?.at ?? 1), Math.log(ticks.at(-1)?.at ?? 1)]
  return (value) => within((Math.log(value) - low) / (high - low))
}

/**
 * @param {readonly Tick[]} ticks
 * @returns {Place}
 */
function linearPlace(ticks) {
  return (value) => within(value / (ticks.at(-1)?.at ?? 1))
}

/** @param {number} share */
function within(share) {
  return round(LABEL_WIDTH + Math.min(1, Math.max(0, share)) * BAR_WIDTH)
}

/** @param {number} value */
function round(value) {
  return Math.round(value * 10) / 10
}

/** @param {string} text */
function asXml(text) {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')
}
