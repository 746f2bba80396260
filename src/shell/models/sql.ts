import { isSet, readOptions, valuesOf } from '../arguments/options.ts'
import { verbEffects } from '../arguments/verbs.ts'
import type { SimpleCommand } from '../vocabulary/command.ts'
import type { ActEffect } from '../vocabulary/effect.ts'
import { exactText, isWhollyUnknown, type Word } from '../words/words.ts'
import type { Model, ModelCall, ModelCases } from './model.ts'
import { SQL_CLIENTS, type SqlClient } from './sql/clients.ts'
import { sqlEffects } from './sql/statements.ts'
import { INFLUX, SQL_TOOLS } from './sql/tools.ts'

/** Databases that speak SQL, and the programs that make and drop them. A file of SQL is a program like any other. */
export const sql: Model = {
  programs: [...SQL_CLIENTS.keys(), ...SQL_TOOLS.keys()],
  effects(call) {
    const { name, command } = call
    const tool = SQL_TOOLS.get(name)
    if (tool !== undefined) return verbEffects(command, tool)
    const client = SQL_CLIENTS.get(name)
    return client === undefined ? [] : [...clientEffects(call, client), ...influxDeletes(name, command)]
  },
}

export const cases: ModelCases = [
  ["psql -c 'SELECT * FROM users'"],
  ["psql -h db.example.com -U app -d shop -c 'DROP TABLE users'", 'data-destroy sql/destroy'],
  ['psql -d shop -f schema.sql'],
  ['psql shop < dump.sql'],
  ["psql -f <(echo 'DROP TABLE users')", 'data-destroy sql/destroy'],
  ['psql --command="TRUNCATE users"', 'data-destroy sql/destroy'],
  ["psql -Atc 'drop schema public cascade'", 'data-destroy sql/destroy'],
  ["psql -c 'SELECT 1; DELETE FROM users'", 'data-destroy sql/destroy'],
  ["psql -c 'DELETE FROM users WHERE id = 7'"],
  ["psql -c 'DELETE FROM users WHERE 1=1'", 'data-destroy sql/destroy'],
  ["psql -c 'DELETE FROM users WHERE id = 7 OR true'", 'data-destroy sql/destroy'],
  ["psql -c 'UPDATE users SET admin = true'", 'data-destroy sql/destroy'],
  ["psql -c 'UPDATE users SET admin = true WHERE id = 7'"],
  ["psql -c 'BEGIN; DELETE FROM users; ROLLBACK;'"],
  ["psql -c 'BEGIN; DELETE FROM users; COMMIT;'", 'data-destroy sql/destroy'],
  ["psql -c 'EXPLAIN DELETE FROM users'"],
  ["psql -c 'EXPLAIN ANALYZE DELETE FROM users'", 'data-destroy sql/destroy'],
  ["psql -c 'WITH gone AS (DELETE FROM users RETURNING *) SELECT * FROM gone'", 'data-destroy sql/destroy'],
  ['psql -c "SELECT \'DROP TABLE users\'"'],
  ["psql -c 'SELECT 1 -- DROP TABLE users'"],
  ["psql -c 'SELECT 1 /* ; DROP TABLE users */'"],
  ["psql -c 'CREATE TEMP TABLE t (a int); DROP TABLE t'"],
  ["psql -c 'DROP TABLE IF EXISTS pg_temp.t'"],
  ["psql -c 'ALTER TABLE users DROP COLUMN email'", 'data-destroy sql/alter'],
  ["psql -c 'ALTER TABLE users ALTER COLUMN email DROP NOT NULL'"],
  ["psql -c 'DROP INDEX users_email'", 'data-destroy sql/alter'],
  ["psql -c 'GRANT ALL ON ALL TABLES IN SCHEMA public TO app'", 'privilege sql/grant'],
  ["psql -c '\\! ls'", 'privilege sql/run-program'],
  ["psql -c 'DO $$ BEGIN DELETE FROM users; END $$'", 'data-destroy sql/destroy'],
  ['psql -c "$QUERY"', 'data-destroy sql/destroy ?'],
  ['psql -c "$(cat query.sql)"'],
  ['psql -c "SELECT * FROM $TABLE"'],
  ['psql -c "DELETE FROM users $REST"', 'data-destroy sql/destroy ?'],
  ["psql <<'EOF'\nBEGIN;\nDROP TABLE users;\nCOMMIT;\nEOF", 'data-destroy sql/destroy'],
  ['psql shop <<< "DROP DATABASE shop"', 'data-destroy sql/destroy'],
  ['echo "DROP TABLE users;" | psql shop', 'data-destroy sql/destroy'],
  ["printf '%s;\\n' 'DROP TABLE users' | psql shop", 'data-destroy sql/destroy'],
  ['cat dump.sql | psql shop'],
  ["echo 'DROP TABLE users;' > a.sql && psql shop -f a.sql", 'data-destroy sql/destroy'],
  ["echo 'DROP TABLE users;' > a.sql && psql shop -f b.sql"],
  ["psql shop < <(echo 'DROP TABLE users')", 'data-destroy sql/destroy'],
  ['psql shop < <(zcat dump.sql.gz)'],
  ["pgcli -c 'SELECT 1'"],
  ["vsql -c 'DROP TABLE users'", 'data-destroy sql/destroy'],
  ["usql -c 'SELECT 1' pg://localhost"],
  ["mysql -uroot -psecret -e 'DROP DATABASE shop'", 'data-destroy sql/destroy'],
  ["mysql --execute='SHOW TABLES' shop"],
  ["mysql -e 'SELECT 1 /*!50000 ; DROP TABLE users */'", 'data-destroy sql/destroy'],
  ["mariadb shop -e 'TRUNCATE TABLE users'", 'data-destroy sql/destroy'],
  ["mycli -e 'SELECT 1'"],
  ["sqlite3 app.db 'DROP TABLE users'", 'data-destroy sql/destroy'],
  ["sqlite3 app.db '.tables'"],
  ["sqlite3 app.db '.shell ls'", 'privilege sql/run-program'],
  ["sqlite3 -readonly app.db 'DROP TABLE users'"],
  ["sqlite3 :memory: 'DROP TABLE users'"],
  ["sqlite app.db 'SELECT 1'"],
  ["duckdb shop.db -c 'DROP TABLE users'", 'data-destroy sql/destroy'],
  ["sqlcmd -S example.com -Q 'DROP DATABASE shop'", 'data-destroy sql/destroy'],
  ["cqlsh -e 'DROP KEYSPACE shop'", 'data-destroy sql/destroy'],
  ["clickhouse-client --query 'DROP TABLE users'", 'data-destroy sql/destroy'],
  ["clickhouse client -q 'SELECT 1'"],
  ["clickhouse local -q 'SELECT 1'"],
  ["cockroach sql -e 'DROP TABLE users'", 'data-destroy sql/destroy'],
  ['cockroach node ls'],
  ["snowsql -q 'DROP WAREHOUSE w'", 'data-destroy sql/destroy'],
  ["trino --execute 'SELECT 1'"],
  ["presto --execute 'DROP TABLE users'", 'data-destroy sql/destroy'],
  ["hive -e 'SHOW TABLES'"],
  ["beeline -e 'DROP TABLE users'", 'data-destroy sql/destroy'],
  ["spark-sql -e 'SELECT 1'"],
  ["impala-shell -q 'TRUNCATE users'", 'data-destroy sql/destroy'],
  ["influx -execute 'DROP DATABASE metrics'", 'data-destroy sql/destroy'],
  ['influx bucket delete -n metrics', 'data-destroy sql/destroy'],
  ["sqlplus app <<< 'DROP TABLE users;'", 'data-destroy sql/destroy'],
  ['dropdb shop', 'data-destroy sql/destroy'],
  ['dropdb --help'],
  ['dropuser app', 'data-destroy sql/alter'],
  ['mysqladmin -u root status'],
  ['mysqladmin -u root drop shop', 'data-destroy sql/destroy'],
  ['pg_restore -d shop dump'],
  ['pg_restore --clean -d shop dump', 'data-destroy sql/alter'],
  ['pg_restore --clean -f out.sql dump'],
  ['pg_resetwal -f data', 'data-destroy sql/destroy'],
  ['pg_dropcluster 16 main', 'data-destroy sql/destroy'],
  ['mongorestore --drop dump', 'data-destroy sql/alter'],
]

function clientEffects({ command, input, fileInput }: ModelCall, client: SqlClient): readonly ActEffect[] {
  const [verb, ...rest] = command.args
  if (client.verb !== undefined && exactText(verb) !== client.verb) return []
  const args = client.verb === undefined ? command.args : rest
  const read = readOptions(client.singleDash === true ? args.map(twoDashes) : args, client.options)
  if (client.inert?.some((name) => isSet(read, name)) === true) return []
  const [first] = read.operands
  if (client.file === true && /^(:memory:|\/tmp\/.*)?$/.test(exactText(first) ?? '?')) return []
  const operands = client.operandsFrom === undefined ? [] : read.operands.slice(client.operandsFrom)
  const given = input()
  const forms = [
    ...[...valuesOf(read, ...client.sql), ...operands]
      .filter((word) => !isFileContent(word))
      .flatMap(({ forms: each }) => each),
    ...[given, ...valuesOf(read, 'file').map((word) => fileInput(word))].flatMap((each) =>
      each.kind === 'text' ? each.forms : [],
    ),
  ]
  return sqlEffects(forms)
}

/** `"$(cat query.sql)"` is as good as the file. */
function isFileContent(word: Word): boolean {
  const [form] = word.forms
  return form !== undefined && isWhollyUnknown(form) && /^\$\(\s*(cat|<)\s/.test(form[0]?.text ?? '')
}

function twoDashes(word: Word): Word {
  const text = exactText(word)
  if (text === undefined || !/^-[a-z]{2,}/.test(text)) return word
  return { ...word, forms: [[{ kind: 'text', text: `-${text}` }]] }
}

function influxDeletes(name: string, command: SimpleCommand): readonly ActEffect[] {
  return name === 'influx' ? verbEffects(command, INFLUX) : []
}
