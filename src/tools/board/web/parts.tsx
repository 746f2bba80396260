import type { ComponentChildren, JSX } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { Icon } from './icons.tsx'
import { approvals } from './live-state.ts'
import { plainText, Text } from './text.tsx'

/** Parts that several pages use. */

interface PageProps {
  readonly title: string
  /** Next to the title. */
  readonly beside?: ComponentChildren
  readonly children: ComponentChildren
}

/** One page: its heading gets the focus, so that a screen reader says where it is. */
export function Page({ title, beside, children }: PageProps): JSX.Element {
  const heading = useRef<HTMLHeadingElement>(null)
  const waiting = approvals.value.pending.length
  useEffect(() => {
    document.title = `${waiting === 0 ? '' : `(${waiting}) `}${plainText(title)} · Holdpoint`
  }, [title, waiting])
  useEffect(() => heading.current?.focus({ preventScroll: true }), [title])
  return (
    <>
      <header class="page-head">
        <h1 ref={heading} tabIndex={-1}>
          <Text of={title} />
        </h1>
        {beside}
      </header>
      {children}
    </>
  )
}

export function Card(props: {
  readonly title?: string
  readonly beside?: ComponentChildren
  readonly children: ComponentChildren
  readonly class?: string
}): JSX.Element {
  return (
    <section class={`card ${props.class ?? ''}`}>
      {props.title === undefined ? null : (
        <div class="card-head">
          <h2>{props.title}</h2>
          {props.beside}
        </div>
      )}
      {props.children}
    </section>
  )
}

const COPIED_MS = 1_500

/** A command to type, with a button that copies it. */
export function Command({ text }: { readonly text: string }): JSX.Element {
  return (
    <div class="command">
      <code>{text}</code>
      <CopyButton text={text} label={`Copy ${text}`} />
    </div>
  )
}

export function CopyButton({ text, label }: { readonly text: string; readonly label: string }): JSX.Element {
  const [isCopied, setCopied] = useState(false)
  const copy = async () => {
    await navigator.clipboard.writeText(text)
    setCopied(true)
    setTimeout(() => setCopied(false), COPIED_MS)
  }
  return (
    <button type="button" class="small" aria-label={label} onClick={() => void copy()}>
      <Icon name="copy" size={14} />
      <span aria-live="polite">{isCopied ? 'Copied' : 'Copy'}</span>
    </button>
  )
}

export function Facts({
  rows,
}: {
  readonly rows: readonly (readonly [string, ComponentChildren])[]
}): JSX.Element {
  return (
    <dl class="facts">
      {rows.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}

/** A wide table scrolls by itself, and the keyboard can scroll it too. */
export function TableBox(props: {
  readonly label: string
  readonly children: ComponentChildren
}): JSX.Element {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard.
    <section class="table-box" aria-label={props.label} tabIndex={0}>
      {props.children}
    </section>
  )
}

interface SelectProps {
  readonly label: string
  readonly value: string
  readonly options: readonly (readonly [value: string, words: string])[]
  onChange(value: string): void
}

export function Select({ label, value, options, onChange }: SelectProps): JSX.Element {
  return (
    <label class="field">
      <span>{label}</span>
      <select value={value} onChange={(event) => onChange(event.currentTarget.value)}>
        {options.map(([each, words]) => (
          <option key={each} value={each}>
            {words}
          </option>
        ))}
      </select>
    </label>
  )
}
