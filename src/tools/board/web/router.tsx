import { signal } from '@preact/signals'
import type { ComponentChildren, JSX } from 'preact'

/** The page that is shown, as the path of the address. */
export const path = signal(location.pathname)

addEventListener('popstate', () => {
  path.value = location.pathname
})

function navigate(to: string): void {
  history.pushState(null, '', to)
  path.value = location.pathname
  scrollTo(0, 0)
}

interface LinkProps {
  readonly to: string
  readonly class?: string
  readonly tabIndex?: number
  readonly 'data-index'?: number
  readonly 'aria-label'?: string
  readonly 'aria-current'?: 'page' | undefined
  readonly children?: ComponentChildren
}

/** A link that changes the page without loading it again. With a modifier key it opens another tab, as every link. */
export function Link({ to, children, ...rest }: LinkProps): JSX.Element {
  const follow = (event: MouseEvent) => {
    if (event.defaultPrevented || event.button !== 0) return
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
    event.preventDefault()
    navigate(to)
  }
  return (
    <a href={to} onClick={follow} {...rest}>
      {children}
    </a>
  )
}
