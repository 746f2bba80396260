import { createRequire } from 'node:module'
import { BUILD_ID } from '../../core/build-id.ts'
import { HoldpointError } from '../../core/errors.ts'

/**
 * One open SQLite file. Only this file knows the SQLite library: `node:sqlite` if Node has it, otherwise `libsql`. Both
 * read and write the same files.
 */
export interface Connection {
  readonly isOpen: boolean
  exec(sql: string): void
  /** The rows of a query, as objects by column name. */
  all(sql: string, ...parameters: readonly SqlValue[]): readonly unknown[]
  /** Returns how many rows the statement changed. */
  run(sql: string, ...parameters: readonly SqlValue[]): number
  /** Prepares a statement that is run many times. */
  prepare(sql: string): (parameters: readonly SqlValue[]) => void
  close(): void
}

export type SqlValue = string | number | null

/** The parts that both libraries offer and that are used here. */
interface Engine {
  exec(sql: string): unknown
  prepare(sql: string): {
    all(...parameters: readonly SqlValue[]): unknown[]
    run(...parameters: readonly SqlValue[]): { readonly changes: number | bigint }
  }
  close(): void
}

/** `readOnly`: a file of another program, which must not be changed. */
export function connect(path: string, { readOnly = false } = {}): Connection {
  const engine = openEngine(path, readOnly)
  let isOpen = true
  return {
    get isOpen() {
      return isOpen
    },
    exec: (sql) => void engine.exec(sql),
    all: (sql, ...parameters) => engine.prepare(sql).all(...parameters),
    run: (sql, ...parameters) => Number(engine.prepare(sql).run(...parameters).changes),
    prepare(sql) {
      const statement = engine.prepare(sql)
      return (parameters) => void statement.run(...parameters)
    },
    close() {
      if (!isOpen) return
      isOpen = false
      engine.close()
    },
  }
}

export function isBusy(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const { code, errcode } = error as { code?: unknown; errcode?: unknown }
  return String(code).startsWith('SQLITE_BUSY') || (typeof errcode === 'number' && (errcode & 0xff) === BUSY)
}

const BUSY = 5

function openEngine(path: string, readOnly: boolean): Engine {
  const builtIn = nodeSqlite()
  if (builtIn !== undefined) return new builtIn.DatabaseSync(path, { readOnly })
  const libsql = loadLibsql()
  return new libsql(path, { readonly: readOnly })
}

interface NodeSqlite {
  readonly DatabaseSync: new (path: string, options: { readonly readOnly: boolean }) => Engine
}

/**
 * Node 22 prints a warning that its SQLite is experimental, in each process that loads it. Holdpoint is
 * tested on it.
 */
function nodeSqlite(): NodeSqlite | undefined {
  const warn = process.emitWarning
  process.emitWarning = () => {}
  try {
    return process.getBuiltinModule('node:sqlite') as unknown as NodeSqlite | undefined
  } catch {
    return undefined
  } finally {
    process.emitWarning = warn
  }
}

/**
 * In the build, its JavaScript is a file next to the programs, so that npm installs one binary, not two (9 MB
 * each).
 */
function loadLibsql(): new (path: string, options: { readonly readonly: boolean }) => Engine {
  try {
    return createRequire(import.meta.filename)(BUILD_ID === 'source' ? 'libsql' : './libsql.cjs')
  } catch (cause) {
    throw new HoldpointError(
      {
        code: 'SQLITE_MISSING',
        message: `Node.js ${process.versions.node} has no SQLite of its own, and no build of libsql for it is installed.`,
      },
      { cause },
    )
  }
}
