import { escaped } from '../report/page/escape.ts'

/** Text that is HTML already. Everything else is escaped: names come from machines that may be hostile. */
export interface Html {
  readonly html: string
}

export type BoardCell = string | number | Html

/** `` html`<b>${name}</b>` `` escapes the name. */
export function html(parts: TemplateStringsArray, ...values: readonly (BoardCell | readonly Html[])[]): Html {
  return { html: parts.map((part, index) => `${part}${shown(values[index] ?? '')}`).join('') }
}

function shown(value: BoardCell | readonly Html[]): string {
  if (typeof value === 'number') return String(value)
  if (typeof value === 'string') return escaped(value)
  return 'html' in value ? value.html : value.map((each) => each.html).join('')
}

export function boardTable(
  heads: readonly string[],
  rows: readonly (readonly BoardCell[])[],
  empty: string,
): Html {
  if (rows.length === 0) return html`<p class="empty">${empty}</p>`
  const head = heads.map((each) => html`<th scope="col">${each}</th>`)
  const body = rows.map((cells) => html`<tr>${cells.map((cell) => html`<td>${cell}</td>`)}</tr>`)
  return html`<div class="wide"><table><thead><tr>${head}</tr></thead><tbody>${body}</tbody></table></div>`
}

/** A length between 0 and 1, with its figure next to it. */
export function bar(share: number, label: string): Html {
  const percent = Math.round(Math.min(1, Math.max(0, share)) * 100)
  return html`<span class="bar"><meter min="0" max="100" value="${percent}"></meter> ${label}</span>`
}

export function page(title: string, current: string, content: Html): string {
  const links = PAGES.map(([path, name]) =>
    path === current
      ? html`<a href="${path}" aria-current="page">${name}</a>`
      : html`<a href="${path}">${name}</a>`,
  )
  return html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} - Holdpoint fleet</title><link rel="stylesheet" href="style.css"></head>
<body><header><strong>Holdpoint fleet</strong><nav>${links}</nav></header>
<main><h1>${title}</h1>${content}</main></body></html>
`.html
}

const PAGES = [
  ['machines', 'Machines'],
  ['stops', 'Stops'],
  ['rollout', 'Rollout'],
  ['session', 'Session'],
  ['findings', 'Findings'],
] as const

export const BOARD_STYLE = `:root { color-scheme: light dark; --line: light-dark(#d9d9de, #3a3a42); --dim: light-dark(#5b5b66, #a5a5b0) }
body { font: 15px/1.5 system-ui, sans-serif; margin: 0 }
header { display: flex; flex-wrap: wrap; gap: 1.5rem; padding: .7rem 1.2rem; border-bottom: 1px solid var(--line) }
nav { display: flex; flex-wrap: wrap; gap: 1rem }
a { color: light-dark(#1d4ed8, #93b4ff) } a[aria-current] { font-weight: 600; text-decoration: none; color: inherit }
main { padding: 0 1.2rem 3rem; max-width: 90rem }
h1 { font-size: 1.4rem } h2 { font-size: 1.1rem; margin-top: 2rem }
.wide { overflow-x: auto } table { border-collapse: collapse; min-width: 40rem }
th, td { text-align: left; padding: .35rem .9rem .35rem 0; border-bottom: 1px solid var(--line); vertical-align: top }
th, .dim, .empty { color: var(--dim); font-weight: 500 }
td { font-variant-numeric: tabular-nums; overflow-wrap: anywhere }
.counts { display: flex; flex-wrap: wrap; gap: .8rem; padding: 0; list-style: none }
.counts li { border: 1px solid var(--line); border-radius: .5rem; padding: .4rem .9rem } .counts b { font-size: 1.3rem; display: block }
.bad { color: light-dark(#b42318, #ff9d92); font-weight: 600 } .good { color: light-dark(#1a7f4b, #7bdca6) }
.bar { white-space: nowrap } meter { width: 12rem; vertical-align: middle }
form { display: flex; flex-wrap: wrap; gap: .6rem; align-items: end; margin: 1rem 0 } input { font: inherit; padding: .3rem .5rem; min-width: 16rem }
button { font: inherit; padding: .3rem .9rem }
`
