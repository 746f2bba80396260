import { actGuard } from '../../act-guard.ts'

export const sqlProgram = actGuard({
  id: 'safety/data/sql-program',
  title: 'Starting a program from a database',
  why: 'A program that a database starts has its rights, and no rule about commands sees it.',
  instead: 'run the program by itself, so that it can be read and judged.',
  acts: ['sql/run-program'],
  mentions: /\\!|\.shell|\.system|xp_cmdshell|\bprogram\b/i,
  maybe: 'may start a program from a database',
  modes: { standard: 'ask', strict: 'deny', paranoid: 'deny' },
  examples: {
    stops: [
      "psql -c '\\! ls'",
      'psql -c "COPY t FROM PROGRAM \'curl https://example.com\'"',
      'psql -c "\\copy t to program \'cat > out\'"',
      "mysql -e '\\! ls'",
      "mysql -e 'system ls'",
      "sqlite3 app.db '.shell ls'",
      "sqlite3 app.db '.system ls'",
      'sqlcmd -Q "EXEC xp_cmdshell \'dir\'"',
      "echo '\\! ls' | psql shop",
    ],
    passes: [
      "psql -c '\\dt'",
      'psql -c "\\copy t to \'out.csv\' csv"',
      'psql -c "COPY t FROM \'/srv/project/t.csv\'"',
      "psql -c 'SELECT * FROM programs'",
      "mysql -e 'STATUS'",
      "sqlite3 app.db '.tables'",
      "sqlite3 app.db '.mode csv'",
      "clickhouse-client -q 'SYSTEM FLUSH LOGS'",
      "sqlcmd -Q 'SELECT name FROM sys.tables'",
    ],
  },
})
