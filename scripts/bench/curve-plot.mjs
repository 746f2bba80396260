/**
 * Curves as SVG, both axes in steps of ten: a straight line at 45 degrees is linear, one along the bottom is flat. Without
 * a library, like the bars of plot.mjs.
 */
const WIDTH = 760
const [LEFT, RIGHT, TOP, BOTTOM] = [56, 230, 64, 44]
const HEIGHT = 420
const LABEL_GAP = 17
const COLOURS = ['#1f883d', '#0969da', '#8250df', '#bc4c00', '#bf3989', '#9a6700', '#1b7c83', '#cf222e']

/**
 * @typedef {object} Curve
 * @property {string} label
 * @property {readonly { readonly x: number, readonly y: number }[]} points As ratios to the first.
 */

/** @typedef {(value: number) => number} Place */

/** @param {{ readonly title: string, readonly subtitle: string, readonly curves: readonly Curve[] }} plot */
export function curvePlot({ title, subtitle, curves }) {
  const all = curves.flatMap(({ points }) => points)
  /** @param {readonly number[]} values */
  const decades = (values) => Math.max(1, Math.ceil(Math.log10(Math.max(...values)) - 0.01))
  const [columns, lines] = [decades(all.map(({ x }) => x)), decades(all.map(({ y }) => y))]
  /** @type {Place} */
  const x = (value) => round(LEFT + (Math.log10(value) / columns) * (WIDTH - LEFT - RIGHT))
  // What is a little faster than at the smallest size is drawn on the line.
  /** @type {Place} */
  const y = (value) =>
    round(HEIGHT - BOTTOM - (Math.log10(Math.max(1, value)) / lines) * (HEIGHT - BOTTOM - TOP))
  const labelled = placedLabels(curves.map(({ points }) => y(points.at(-1)?.y ?? 1)))
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${asXml(title)}">
<style>
text { font: 13px system-ui, sans-serif; fill: #1f2328; }
.paper { fill: #ffffff; }
.title { font-size: 16px; font-weight: 600; }
.quiet { fill: #59636e; font-size: 12px; }
.grid { stroke: #8c959f; stroke-opacity: 0.35; }
.curve { fill: none; stroke-width: 2; }
.leader { stroke-opacity: 0.5; stroke-dasharray: 2 3; }
@media (prefers-color-scheme: dark) {
  .paper { fill: #0d1117; }
  text { fill: #e6edf3; }
  .quiet { fill: #9198a1; }
}
</style>
<rect class="paper" width="${WIDTH}" height="${HEIGHT}" rx="6"/>
<text class="title" x="12" y="24">${asXml(title)}</text>
<text class="quiet" x="12" y="44">${asXml(subtitle)}</text>
${tens(lines)
  .map(
    (at) =>
      `<line class="grid" x1="${LEFT}" x2="${WIDTH - RIGHT}" y1="${y(at)}" y2="${y(at)}"/><text class="quiet" x="${LEFT - 8}" y="${y(at) + 4}" text-anchor="end">${shown(at)}</text>`,
  )
  .join('\n')}
${tens(columns)
  .map(
    (at) =>
      `<line class="grid" x1="${x(at)}" x2="${x(at)}" y1="${TOP}" y2="${HEIGHT - BOTTOM}"/><text class="quiet" x="${x(at)}" y="${HEIGHT - BOTTOM + 18}" text-anchor="middle">${shown(at)}</text>`,
  )
  .join('\n')}
<text class="quiet" x="${(LEFT + WIDTH - RIGHT) / 2}" y="${HEIGHT - 8}" text-anchor="middle">size</text>
${curves.map((curve, i) => drawn(curve, COLOURS[i % COLOURS.length] ?? 'black', { x, y, labelY: labelled[i] ?? TOP })).join('\n')}
</svg>
`
}

/**
 * @param {Curve} curve
 * @param {string} colour
 * @param {{ readonly x: Place, readonly y: Place, readonly labelY: number }} places
 */
function drawn({ label, points }, colour, { x, y, labelY }) {
  const last = points.at(-1) ?? { x: 1, y: 1 }
  const labelX = WIDTH - RIGHT + 16
  return [
    `<polyline class="curve" stroke="${colour}" points="${points.map((each) => `${x(each.x)},${y(each.y)}`).join(' ')}"/>`,
    ...points.map((each) => `<circle cx="${x(each.x)}" cy="${y(each.y)}" r="3" fill="${colour}"/>`),
    `<line class="leader" stroke="${colour}" x1="${x(last.x)}" y1="${y(last.y)}" x2="${labelX - 4}" y2="${labelY}"/>`,
    `<text x="${labelX}" y="${labelY + 4}" style="fill: ${colour}">${asXml(label)}</text>`,
  ].join('')
}

/**
 * Beside the end of its curve, or as near as the other labels leave room. From the bottom up.
 * @param {readonly number[]} ends
 */
function placedLabels(ends) {
  /** @type {number[]} */
  const placed = []
  let lowest = HEIGHT - BOTTOM + LABEL_GAP
  for (const [index, end] of [...ends.entries()].sort(([, a], [, b]) => b - a)) {
    lowest = Math.min(end, lowest - LABEL_GAP)
    placed[index] = lowest
  }
  return placed
}

/** @param {number} count */
function tens(count) {
  return Array.from({ length: count + 1 }, (_, i) => 10 ** i)
}

/** @param {number} value */
function shown(value) {
  return `${value.toLocaleString('en')}x`
}

/** @param {number} value */
function round(value) {
  return Math.round(value * 10) / 10
}

/** @param {string} text */
function asXml(text) {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')
}
