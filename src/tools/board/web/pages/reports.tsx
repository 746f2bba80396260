import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import type { Cell, Column, Section } from '../../../report/sections.ts'
import type { ReportPage as ReportFacts } from '../../api.ts'
import { StackedColumns } from '../charts/stacked-columns.tsx'
import { folderName, length } from '../format.ts'
import { hello } from '../hello.ts'
import { Empty, Loading, useLoaded } from '../load.tsx'
import { Card, Page, Select, TableBox } from '../parts.tsx'
import { getJson } from '../server-calls.ts'
import { Text } from '../text.tsx'

const PERIODS = [
  ['day', 'The last day'],
  ['week', 'The last 7 days'],
  ['month', 'The last 30 days'],
  ['all', 'The whole journal'],
] as const

/** Statistics: what `holdpoint report` has, and the same length of time before to compare. */
export function ReportsPage(): JSX.Element {
  const [period, setPeriod] = useState('week')
  const [project, setProject] = useState('')
  const query = { period, project, compare: 1 }
  const loaded = useLoaded<ReportFacts>(JSON.stringify(query), () => getJson('/api/report', query))
  return (
    <Page
      title="Reports"
      beside={
        <div class="filters">
          <Select label="Period" value={period} options={PERIODS} onChange={setPeriod} />
          <Select
            label="Project"
            value={project}
            options={[
              ['', 'All projects'],
              ...hello.value.projects.map((each) => [each, folderName(each)] as const),
            ]}
            onChange={setProject}
          />
        </div>
      }
    >
      <Loading of={loaded}>{(report) => <Report report={report} />}</Loading>
    </Page>
  )
}

function Report({ report }: { readonly report: ReportFacts }): JSX.Element {
  const { decisions, before, sections, missing } = report
  const [onlyStopped, setOnlyStopped] = useState(true)
  if (decisions.records === 0) return <Empty>Nothing was decided in this time.</Empty>
  const tables = sections.filter(({ id }) => id !== 'time')
  return (
    <>
      <ul class="tiles">
        <Tile words="Decisions" now={decisions.records} before={before?.records} />
        <Tile words="Denied" now={decisions.effects.deny} before={before?.effects.deny} tone="deny" />
        <Tile words="Asked" now={decisions.effects.ask} before={before?.effects.ask} tone="ask" />
        <Tile words="Sessions" now={decisions.sessions} before={before?.sessions} />
        <Tile
          words="Mean time to decide"
          now={decisions.decidingMs / Math.max(1, decisions.records)}
          before={
            before === undefined || before.records === 0 ? undefined : before.decidingMs / before.records
          }
          unit="ms"
        />
      </ul>
      <Card
        title="Decisions over time (UTC)"
        beside={
          <label class="switch">
            <input
              type="checkbox"
              checked={onlyStopped}
              onChange={(event) => setOnlyStopped(event.currentTarget.checked)}
            />
            Only what was stopped
          </label>
        }
      >
        <StackedColumns slots={decisions.slots} onlyStopped={onlyStopped} />
        <details>
          <summary>The same as a table</summary>
          <SectionTable section={sections.find(({ id }) => id === 'time') ?? NO_SECTION} />
        </details>
      </Card>
      {tables.map((section) => (
        <Card key={section.id} title={section.title}>
          {section.rows.length === 0 ? (
            <p class="quiet">{section.empty}</p>
          ) : (
            <SectionTable section={section} />
          )}
        </Card>
      ))}
      {missing === undefined ? null : <p class="quiet">{missing}</p>}
    </>
  )
}

const NO_SECTION: Section = { id: '', title: '', columns: [], rows: [], empty: '' }

interface TileProps {
  readonly words: string
  readonly now: number
  readonly before?: number | undefined
  readonly tone?: string
  readonly unit?: string
}

function Tile({ words, now, before, tone = '', unit }: TileProps): JSX.Element {
  const shown = (value: number) => (unit === 'ms' ? length(value) : value.toLocaleString('en'))
  return (
    <li class={`tile ${tone}`}>
      <span class="tile-words">{words}</span>
      <span class="tile-number">{shown(now)}</span>
      {before === undefined ? null : (
        <span class="tile-change">
          {changeWords(now, before)} <span class="quiet">({shown(before)} before)</span>
        </span>
      )}
    </li>
  )
}

function changeWords(now: number, before: number): string {
  if (before === 0) return now === 0 ? 'same' : 'new'
  const percent = Math.round((100 * (now - before)) / before)
  if (percent === 0) return 'same'
  return percent > 0 ? `▲ ${percent} %` : `▼ ${-percent} %`
}

const ROWS_FIRST = 12

function SectionTable({ section }: { readonly section: Section }): JSX.Element {
  const [showsAll, setShowsAll] = useState(false)
  const { columns, rows, title } = section
  const shown = showsAll ? rows : rows.slice(0, ROWS_FIRST)
  const bars = columns.flatMap(({ bar }, index) => (bar === undefined ? [] : [index]))
  const most = Math.max(
    1,
    ...rows.map((row) => bars.reduce((sum, index) => sum + Number(row[index] ?? 0), 0)),
  )
  return (
    <>
      <TableBox label={title}>
        <table>
          <thead>
            <tr>
              {columns.map((column) => (
                <th key={column.title} scope="col" class={column.kind === 'text' ? '' : 'number'}>
                  {column.title}
                </th>
              ))}
              {bars.length === 0 ? null : (
                <th scope="col">
                  <span class="hidden">Share</span>
                </th>
              )}
            </tr>
          </thead>
          <tbody>
            {shown.map((row) => (
              <tr key={JSON.stringify(row)}>
                {columns.map((column, index) => (
                  <td key={column.title} class={column.kind === 'text' ? '' : 'number'}>
                    <CellText column={column} cell={row[index] ?? null} />
                  </td>
                ))}
                {bars.length === 0 ? null : (
                  <td class="bar-cell">
                    <RowBar columns={columns} row={row} most={most} />
                  </td>
                )}
              </tr>
            ))}
          </tbody>
        </table>
      </TableBox>
      {rows.length <= ROWS_FIRST ? null : (
        <button type="button" class="small" aria-expanded={showsAll} onClick={() => setShowsAll(!showsAll)}>
          {showsAll ? 'Show fewer rows' : `Show all ${rows.length} rows`}
        </button>
      )}
    </>
  )
}

function CellText({ column, cell }: { readonly column: Column; readonly cell: Cell }): JSX.Element {
  if (cell === null) return <span class="quiet">–</span>
  if (typeof cell === 'string') return <Text of={cell} />
  if (column.kind === 'ms') return <>{length(cell)}</>
  if (column.kind === 'rate') return <>{`${Math.round(cell * 1_000) / 10} %`}</>
  return <>{cell.toLocaleString('en')}</>
}

function RowBar(props: {
  readonly columns: readonly Column[]
  readonly row: readonly Cell[]
  readonly most: number
}): JSX.Element {
  const { columns, row, most } = props
  let at = 0
  return (
    <svg class="row-bar" viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true" focusable="false">
      {columns.map(({ bar, title }, index) => {
        if (bar === undefined) return null
        const width = (100 * Number(row[index] ?? 0)) / most
        const x = at
        at += width
        return (
          <rect
            key={title}
            class={`fill-${bar === 'plain' ? 'tool' : bar}`}
            x={x}
            y="0"
            width={width}
            height="8"
          />
        )
      })}
    </svg>
  )
}
