import type { ComponentChildren, JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import type { Refusal, ServerReply } from './server-calls.ts'
import { Prose } from './text.tsx'

export interface Loaded<T> {
  readonly value?: T
  readonly refusal?: Refusal
  readonly isLoading: boolean
}

/** Loads what a page needs, again whenever `key` changes. What was loaded before stays until the new answer is there. */
export function useLoaded<T>(key: string | undefined, load: () => Promise<ServerReply<T>>): Loaded<T> {
  const [loaded, setLoaded] = useState<Loaded<T>>({ isLoading: true })
  useEffect(() => {
    // The page does not know yet what to ask for.
    if (key === undefined) return
    let isCurrent = true
    setLoaded((before) => ({ ...before, isLoading: true }))
    void load().then((reply) => {
      if (!isCurrent) return
      setLoaded(
        reply.ok ? { value: reply.value, isLoading: false } : { refusal: reply.refusal, isLoading: false },
      )
    })
    return () => {
      isCurrent = false
    }
  }, [key])
  return loaded
}

interface LoadingProps<T> {
  readonly of: Loaded<T>
  readonly children: (value: T) => ComponentChildren
}

/** Shows what was loaded, or that it takes a moment, or why it did not work. */
export function Loading<T>({ of, children }: LoadingProps<T>): JSX.Element {
  const { value, refusal, isLoading } = of
  if (refusal !== undefined) return <Problem message={refusal.message} />
  if (value === undefined) return <p class="quiet loading">Loading…</p>
  return <div class={isLoading ? 'loaded stale' : 'loaded'}>{children(value)}</div>
}

export function Problem({ message }: { readonly message: string }): JSX.Element {
  return (
    <div class="notice problem" role="alert">
      <p>
        <Prose of={message} />
      </p>
    </div>
  )
}

export function Empty({ children }: { readonly children: ComponentChildren }): JSX.Element {
  return <div class="empty">{children}</div>
}
