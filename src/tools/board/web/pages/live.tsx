import type { JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import type { Effect } from '../../../../core/decision.ts'
import { Pulse } from '../charts/pulse.tsx'
import { nowMs } from '../clock.ts'
import { EFFECT_WORDS, SHOWN_EFFECTS } from '../effect.tsx'
import { counted, folderName, shownTime } from '../format.ts'
import { hello } from '../hello.ts'
import { Icon } from '../icons.tsx'
import {
  addedBefore,
  filter,
  isHeld,
  isLoading,
  loadOlder,
  PULSE_MS,
  problem,
  pulse,
  rows,
  searchedTo,
  setFilter,
  setHeld,
  waitingCount,
} from '../live-state.ts'
import { Empty, Problem } from '../load.tsx'
import { Page, Select } from '../parts.tsx'
import { RecordRow } from '../record-row.tsx'
import { VirtualList } from '../virtual-list.tsx'

const ROW_WIDE = 38
const ROW_NARROW = 66
const NARROW = matchMedia('(max-width: 860px)')

/** What agents do, as it happens. */
export function LivePage(): JSX.Element {
  const [isNarrow, setNarrow] = useState(NARROW.matches)
  useEffect(() => {
    const change = () => setNarrow(NARROW.matches)
    NARROW.addEventListener('change', change)
    return () => NARROW.removeEventListener('change', change)
  }, [])
  const list = rows.value.rows
  const time = nowMs.value
  return (
    <div class="live">
      <Page
        title="Live"
        beside={
          <div class="live-head">
            <Pulse events={pulse.value} nowMs={time} spanMs={PULSE_MS} />
            <PauseButton />
          </div>
        }
      >
        <Filters />
        {problem.value === undefined ? null : <Problem message={problem.value.message} />}
        {list.length === 0 ? (
          <Nothing />
        ) : (
          <VirtualList
            count={list.length}
            rowHeight={isNarrow ? ROW_NARROW : ROW_WIDE}
            label="Calls, the newest first"
            addedBefore={addedBefore.value}
            onEnd={() => void loadOlder()}
            row={(index, focus) => {
              const row = list[index]
              return row === undefined ? <div /> : <RecordRow row={row} nowMs={time} focus={focus} />
            }}
          />
        )}
      </Page>
    </div>
  )
}

function Nothing(): JSX.Element {
  if (isLoading.value) {
    return (
      <p class="quiet loading">
        {searchedTo.value === undefined ? 'Loading…' : searchText(searchedTo.value)}
      </p>
    )
  }
  const isFiltered = Object.values(filter.value).some((value) => value !== undefined && value.length > 0)
  return isFiltered ? (
    <Empty>
      <p>No call matches these filters.</p>
      <button type="button" onClick={() => setFilter({})}>
        Show all calls
      </button>
    </Empty>
  ) : (
    <Empty>
      <p>Nothing was decided yet. Start an agent in a guarded project, and its calls appear here.</p>
    </Empty>
  )
}

function searchText(to: string): string {
  return `Searching… back to ${shownTime(to, nowMs.value)}`
}

const SEARCH_AFTER_MS = 250

function Filters(): JSX.Element {
  const { effects = [], host = '', project = '', tool = '', text = '' } = filter.value
  const [typed, setTyped] = useState({ tool, text })
  useEffect(() => {
    if (typed.tool === tool && typed.text === text) return
    const timer = setTimeout(() => change(typed), SEARCH_AFTER_MS)
    return () => clearTimeout(timer)
  }, [typed])
  const change = (changed: Readonly<Record<string, string | readonly Effect[]>>) => {
    const asked = { effects, host, project, tool, text, ...changed }
    setFilter(Object.fromEntries(Object.entries(asked).filter(([, value]) => value.length > 0)))
  }
  const toggle = (effect: Effect) =>
    change({
      effects: effects.includes(effect) ? effects.filter((each) => each !== effect) : [...effects, effect],
    })
  return (
    <search class="filters">
      <fieldset class="chips">
        <legend class="hidden">Show only</legend>
        {SHOWN_EFFECTS.map((effect) => (
          <button
            key={effect}
            type="button"
            class={`chip ${effect}`}
            aria-pressed={effects.includes(effect)}
            onClick={() => toggle(effect)}
          >
            <Icon name={effect} size={14} />
            {EFFECT_WORDS[effect]}
          </button>
        ))}
      </fieldset>
      <Select
        label="Agent"
        value={host}
        options={[['', 'All agents'], ...hello.value.hosts.map((each) => [each, each] as const)]}
        onChange={(value) => change({ host: value })}
      />
      <Select
        label="Project"
        value={project}
        options={[
          ['', 'All projects'],
          ...hello.value.projects.map((each) => [each, folderName(each)] as const),
        ]}
        onChange={(value) => change({ project: value })}
      />
      <label class="field short">
        <span>Tool</span>
        <input
          type="text"
          placeholder="Any tool"
          value={typed.tool}
          onInput={(event) => setTyped({ ...typed, tool: event.currentTarget.value.trim() })}
        />
      </label>
      <label class="field grow">
        <span>Search</span>
        <input
          type="search"
          placeholder="Command, guard, reason, session…"
          value={typed.text}
          onInput={(event) => setTyped({ ...typed, text: event.currentTarget.value })}
        />
      </label>
    </search>
  )
}

function PauseButton(): JSX.Element {
  const isOff = isHeld.value
  const waiting = waitingCount()
  return (
    <button type="button" class={isOff ? 'primary' : ''} aria-pressed={isOff} onClick={() => setHeld(!isOff)}>
      <Icon name={isOff ? 'play' : 'pause'} size={14} />
      {isOff ? `Continue${waiting === 0 ? '' : ` · ${counted(waiting, 'new event')}`}` : 'Pause'}
    </button>
  )
}
