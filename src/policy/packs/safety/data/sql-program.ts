import { actGuard } from '../../act-guard.ts'

export const sqlProgram = actGuard({
  id: 'safety/data/sql-program',
  title: 'Starting a program from a database',
  why: 'The program runs with the permissions of the database server, and guards for commands cannot see what it does.',
  instead: 'run the program directly, so that it can be checked.',
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
