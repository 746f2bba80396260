import { verbEffects } from '../arguments/verbs.ts'
import type { SimpleCommand } from '../vocabulary/command.ts'
import { exactText } from '../words/words.ts'
import { RESET } from './migrations/acts.ts'
import { MIGRATION_PROGRAMS } from './migrations/programs.ts'
import type { Model, ModelCases } from './model.ts'
import { sqlEffects } from './sql/statements.ts'

/** Frameworks that build a database from an application's code, and can take it down again. */
export const migrations: Model = {
  programs: [...MIGRATION_PROGRAMS.keys()],
  effects({ name, command, input }) {
    const program = MIGRATION_PROGRAMS.get(name)
    if (program === undefined || isForTests(command)) return []
    if (name === 'manage.py' && runsFlush(command)) return [RESET]
    const given = name === 'prisma' ? input() : undefined
    return [...verbEffects(command, program), ...(given?.kind === 'text' ? sqlEffects(given.forms) : [])]
  },
}

const RESETS = 'data-destroy migrations/reset'

export const cases: ModelCases = [
  ['prisma migrate dev --name init'],
  ['prisma migrate deploy'],
  ['prisma db push'],
  ['prisma migrate reset --force', RESETS],
  ['prisma migrate reset --help'],
  ['prisma db push --accept-data-loss', RESETS],
  ['prisma --schema db/schema.prisma db push --force-reset', RESETS],
  ["prisma db execute --stdin <<< 'DROP TABLE users'", 'data-destroy sql/destroy'],
  ['sequelize db:migrate'],
  ['sequelize db:drop', RESETS],
  ['sequelize-cli db:migrate:undo:all', RESETS],
  ['typeorm migration:run'],
  ['typeorm schema:drop -d src/data-source.ts', RESETS],
  ['mikro-orm migration:fresh', RESETS],
  ['knex migrate:latest'],
  ['knex migrate:rollback'],
  ['knex migrate:rollback --all', RESETS],
  ['drizzle-kit generate'],
  ['drizzle-kit drop', RESETS],
  ['rails db:migrate'],
  ['rails db:rollback'],
  ['rails db:drop db:create', RESETS],
  ['RAILS_ENV=test rails db:drop'],
  ['rails db:reset RAILS_ENV=test'],
  ["rails runner 'User.delete_all'", RESETS],
  ["rails runner 'puts User.count'"],
  ['rake db:schema:load', RESETS],
  ['rake -T'],
  ['manage.py migrate'],
  ['manage.py flush --no-input', RESETS],
  ['manage.py migrate shop zero', RESETS],
  ["manage.py shell -c 'User.objects.all().delete()'", RESETS],
  ['django-admin startproject shop'],
  ['artisan migrate'],
  ['artisan migrate:fresh --seed', RESETS],
  ['artisan migrate:fresh --env=testing'],
  ['artisan migrate:reset --pretend'],
  ['artisan db:wipe --force', RESETS],
  ['sail artisan migrate:fresh', RESETS],
  ['sail up -d'],
  ['console doctrine:database:drop --force', RESETS],
  ['doctrine orm:schema-tool:drop --force', RESETS],
  ['doctrine orm:schema-tool:update --dump-sql'],
  ['console cache:clear'],
  ['ace migration:fresh', RESETS],
  ['alembic upgrade head'],
  ['alembic downgrade -1'],
  ['alembic downgrade base', RESETS],
  ['alembic downgrade base --sql'],
  ['flask db downgrade base', RESETS],
  ['flask run'],
  ['flyway migrate'],
  ['flyway clean', RESETS],
  ['liquibase update'],
  ['liquibase drop-all', RESETS],
  ['goose postgres postgres://localhost/shop up'],
  ['goose postgres postgres://localhost/shop reset', RESETS],
  ['migrate -path db -database postgres://localhost/shop up'],
  ['migrate -path db -database postgres://localhost/shop drop -f', RESETS],
  ['dbmate drop', RESETS],
  ['sea-orm-cli migrate fresh', RESETS],
  ['dbmate up'],
  ['sqlx database reset -y', RESETS],
  ['sqlx migrate run'],
  ['diesel database reset', RESETS],
  ['phinx rollback -t 0', RESETS],
  ['wp db reset --yes', RESETS],
  ['wp plugin list'],
  ['drush sql:drop -y', RESETS],
  ['meteor reset', RESETS],
  ['hasura migrate apply --down all', RESETS],
  ['rake release', 'remote-mutate packages/publish'],
]

/** `manage.py sqlflush | manage.py dbshell`: the statements that empty every table, and who runs them. */
function runsFlush({ args, inputs }: SimpleCommand): boolean {
  const says = (each: SimpleCommand, verb: string) => each.args.some((word) => exactText(word) === verb)
  return (
    args.some((word) => exactText(word) === 'dbshell') &&
    inputs?.some((each) => says(each, 'sqlflush')) === true
  )
}

/** A database for tests is made to be dropped. */
function isForTests(command: SimpleCommand): boolean {
  const set = command.assignments.map(({ name, value }) => `${name}=${exactText(value) ?? ''}`)
  const words = command.args.map((word) => exactText(word) ?? '')
  const chosen = /^(--env=|--environment=|(RAILS|RACK|APP|MIX|DJANGO)_ENV=)test(ing)?$/
  return [...set, ...words].some((text) => chosen.test(text))
}
