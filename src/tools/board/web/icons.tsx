import type { JSX } from 'preact'

/** Drawn here, so that no font and no file is needed. Pictures are decoration: the words next to them say the same. */
const PATHS = {
  live: 'M2 8h3l2-5 3 10 2-5h2',
  sessions: 'M4 2v8a2 2 0 0 0 2 2h2M4 5h4M10.5 3.5h3v3h-3zM10.5 10.5h3v3h-3z',
  policy: 'M8 1.6 13.5 4v4c0 3.3-2.3 5.3-5.5 6.6C4.8 13.3 2.5 11.3 2.5 8V4zM5.7 8l1.7 1.7L10.6 6.3',
  playground: 'M5.5 2h5M6.5 2v4.2L3 12.6c-.5 1 .1 1.9 1.2 1.9h7.6c1.1 0 1.7-.9 1.2-1.9L9.5 6.2V2M5 10.5h6',
  reports: 'M2.5 13.5h11M4.5 11V7.5M8 11V3.5M11.5 11V6',
  agents: 'M8 7.5a2.6 2.6 0 1 0 0-5.2 2.6 2.6 0 0 0 0 5.2zM2.8 13.7c.4-2.6 2.6-4 5.2-4s4.8 1.4 5.2 4',
  deny: 'M5.2 1.5h5.6l3.7 3.7v5.6l-3.7 3.7H5.2l-3.7-3.7V5.2zM5 8h6',
  ask: 'M8 1.5a6.5 6.5 0 1 0 0 13 6.5 6.5 0 0 0 0-13zM6.2 6.2c.1-1.1.9-1.7 1.9-1.7 1.1 0 1.9.7 1.9 1.6 0 1.4-2 1.5-2 3M8 11.4v.1',
  allow: 'M8 1.5a6.5 6.5 0 1 0 0 13 6.5 6.5 0 0 0 0-13zM5.2 8.2l2 2 3.6-4.2',
  pass: 'M5.5 8h5M8.5 5.5 11 8l-2.5 2.5',
  pause: 'M5.5 3.5v9M10.5 3.5v9',
  play: 'M5 3.2v9.6L12.5 8z',
  copy: 'M5.5 5.5h8v8h-8zM10.5 5.5v-3h-8v8h3',
  search: 'M7 12A5 5 0 1 0 7 2a5 5 0 0 0 0 10zM10.7 10.7 14 14',
  lock: 'M3.5 7h9v6.5h-9zM5.5 7V5a2.5 2.5 0 0 1 5 0v2',
  theme: 'M8 2a6 6 0 1 0 0 12A6 6 0 0 0 8 2zM8 2v12M10 3v10M12 4.8v6.4',
  signal: 'M4 13.5v-11l8 3.5-8 3.5',
  agent: 'M3 3.5h10v7H6.5L3 13.5z',
} as const

export type IconName = keyof typeof PATHS

export function Icon({ name, size = 16 }: { readonly name: IconName; readonly size?: number }): JSX.Element {
  return (
    <svg class="icon" width={size} height={size} viewBox="0 0 16 16" aria-hidden="true" focusable="false">
      <path d={PATHS[name]} />
    </svg>
  )
}

/** An octagon with two bars: stop, and wait. */
export function Mark(): JSX.Element {
  return (
    <svg class="mark" width="28" height="28" viewBox="0 0 32 32" aria-hidden="true" focusable="false">
      <path class="mark-sign" d="M10.4 2h11.2L30 10.4v11.2L21.6 30H10.4L2 21.6V10.4z" />
      <path class="mark-bars" d="M12 10.5v11M20 10.5v11" />
    </svg>
  )
}
