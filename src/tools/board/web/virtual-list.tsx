import type { JSX } from 'preact'
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'

interface VirtualListProps {
  readonly count: number
  /** All rows are equally high, so that only those in sight have to exist. */
  readonly rowHeight: number
  readonly label: string
  row(index: number, focus: RowFocus): JSX.Element
  /** Near the end: more may be loaded. */
  onEnd?(): void
  /** How many rows were put before the others since the list was drawn first. Keeps what is in sight in its place. */
  readonly addedBefore?: number
  onTop?(isAtTop: boolean): void
}

/** What a row needs to be reached with the arrow keys. */
export interface RowFocus {
  readonly tabIndex: 0 | -1
  readonly 'data-index': number
}

const BEYOND_SIGHT = 8
/** Before the first measurement. */
const HEIGHT_FIRST = 900

/** A list of any length. Arrow keys, Page Up, Page Down, Home and End move in it; Tab leaves it. */
export function VirtualList(props: VirtualListProps): JSX.Element {
  const { count, rowHeight, label, row, onEnd, addedBefore = 0, onTop } = props
  const box = useRef<HTMLDivElement>(null)
  const [top, setTop] = useState(0)
  const [height, setHeight] = useState(HEIGHT_FIRST)
  const [active, setActive] = useState(0)
  const wantsFocus = useRef(false)
  const before = useRef(addedBefore)

  useEffect(() => {
    const element = box.current
    if (element === null) return
    const observer = new ResizeObserver(() => setHeight(element.clientHeight))
    observer.observe(element)
    return () => observer.disconnect()
  }, [])

  // Rows that arrive at the top push the others down. A person who reads further below must not notice.
  useLayoutEffect(() => {
    const added = addedBefore - before.current
    before.current = addedBefore
    const element = box.current
    if (element === null || added <= 0) return
    if (element.scrollTop > rowHeight / 2) element.scrollTop += added * rowHeight
    setActive((index) => (index === 0 ? 0 : index + added))
  }, [addedBefore])

  useLayoutEffect(() => {
    if (!wantsFocus.current) return
    wantsFocus.current = false
    box.current?.querySelector<HTMLElement>(`[data-index="${active}"]`)?.focus()
  }, [active])

  const first = Math.max(0, Math.floor(top / rowHeight) - BEYOND_SIGHT)
  const last = Math.min(count, Math.ceil((top + height) / rowHeight) + BEYOND_SIGHT)
  useEffect(() => {
    if (last >= count - BEYOND_SIGHT) onEnd?.()
  }, [last, count])

  const onScroll = () => {
    const at = box.current?.scrollTop ?? 0
    setTop(at)
    onTop?.(at < rowHeight / 2)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const page = Math.max(1, Math.floor(height / rowHeight) - 1)
    const steps: Readonly<Record<string, number>> = {
      ArrowDown: 1,
      ArrowUp: -1,
      PageDown: page,
      PageUp: -page,
      Home: -count,
      End: count,
    }
    const step = steps[event.key]
    if (step === undefined || count === 0) return
    event.preventDefault()
    const next = Math.min(count - 1, Math.max(0, active + step))
    const element = box.current
    if (element !== null) {
      const [from, to] = [next * rowHeight, (next + 1) * rowHeight]
      if (from < element.scrollTop) element.scrollTop = from
      if (to > element.scrollTop + element.clientHeight) element.scrollTop = to - element.clientHeight
      setTop(element.scrollTop)
    }
    wantsFocus.current = true
    setActive(next)
  }
  const onFocusIn = (event: FocusEvent) => {
    const index = event.target instanceof HTMLElement ? event.target.dataset.index : undefined
    if (index !== undefined) setActive(Number(index))
  }
  const reachable = Math.min(Math.max(active, first), Math.max(first, last - 1))
  const rows: JSX.Element[] = []
  for (let index = first; index < last; index += 1) {
    const style = { top: `${index * rowHeight}px`, height: `${rowHeight}px` }
    const tabIndex = index === reachable ? 0 : -1
    rows.push(
      <li key={index} class="virtual-row" style={style} aria-posinset={index + 1} aria-setsize={count}>
        {row(index, { tabIndex, 'data-index': index })}
      </li>,
    )
  }
  return (
    <div class="virtual" ref={box} onScroll={onScroll}>
      <ul
        class="virtual-all"
        aria-label={label}
        style={{ height: `${count * rowHeight}px` }}
        onKeyDown={onKeyDown}
        onFocusIn={onFocusIn}
      >
        {rows}
      </ul>
    </div>
  )
}
