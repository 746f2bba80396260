import { actGuard } from '../../act-guard.ts'

export const sqlGrant = actGuard({
  id: 'safety/data/sql-grant',
  title: 'Granting all privileges on a database',
  why: 'An account with all privileges can read and delete everything in the database.',
  instead: "grant only what is needed, for example `psql -c 'GRANT SELECT ON users TO report'`.",
  acts: ['sql/grant'],
  mentions: /\b(grant|superuser)\b/i,
  maybe: 'may grant all privileges on a database',
  modes: { standard: 'off', strict: 'ask', paranoid: 'ask' },
  examples: {
    stops: [
      "psql -c 'GRANT ALL ON ALL TABLES IN SCHEMA public TO app'",
      "psql -c 'GRANT ALL PRIVILEGES ON DATABASE shop TO app'",
      "psql -c 'ALTER USER app WITH SUPERUSER'",
      "psql -c 'CREATE ROLE app SUPERUSER LOGIN'",
      "mysql -e \"GRANT ALL ON *.* TO 'app'@'%'\"",
      'mariadb -e "grant all privileges on shop.* to app"',
      "echo 'GRANT ALL ON shop.* TO app;' | mysql",
      "cockroach sql -e 'GRANT ALL ON DATABASE shop TO app'",
    ],
    passes: [
      "psql -c 'GRANT SELECT ON users TO report'",
      "psql -c 'REVOKE ALL ON users FROM app'",
      "psql -c 'CREATE ROLE report LOGIN'",
      "mysql -e 'SHOW GRANTS'",
      "mysql -e 'FLUSH PRIVILEGES'",
      "psql -c '\\du'",
      "psql -c 'ALTER USER app WITH NOSUPERUSER'",
      "sqlite3 app.db 'SELECT 1'",
    ],
  },
})
