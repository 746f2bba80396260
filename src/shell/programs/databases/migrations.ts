import { valuesOf } from '../../arguments/options.ts'
import {
  type Certainty,
  someWord,
  type VerbCall,
  type VerbProgram,
  type VerbRule,
  verbEffects,
} from '../../arguments/verbs.ts'
import type { SimpleCommand } from '../../vocabulary/command.ts'
import { exactText, type Word } from '../../words/words.ts'
import { filesCalled } from '../aspects/script-files.ts'
import { PUBLISH } from '../packages/acts.ts'
import type { Program, ProgramTable } from '../program.ts'
import { RESET } from './acts.ts'
import { sqlEffects } from './statements.ts'

const OPTIONS = `
  schema= config= c= d|dataSource= e|env|environment= t|target= database= path= x= connection= n|name=
  p|project= s|startup-project= settings= pythonpath= url= source= migrations-path= models-path= from= to=
  dir= u= m= execute= down= command= seeder= force-reset accept-data-loss force f|force all pretend dry-run
  sql step= r= help h|help version skip-seed no-input noinput preview-feature configFiles= user=
`

function acting(...rules: readonly VerbRule[]): VerbProgram {
  return { options: OPTIONS, inert: 'help version sql', dryRun: 'dry-run pretend', rules }
}

function resets(...verbs: readonly string[]): VerbProgram {
  return acting(...verbs.map((each): VerbRule => [each, RESET]))
}

const RAILS_TASKS =
  /^(app:)?db:(drop|reset|purge|setup|truncate_all|schema:load|structure:load|migrate:reset|seed:replant)(:|$)/
/** One line of a framework that takes every row of a table, or the table. */
const DELETES_ALL =
  /\.(delete_all|destroy_all)\b|::(truncate|query\(\)->delete)\(|\.objects\.all\(\)\.delete\(|\bdrop_(table|database)\b|Schema::drop|DB::(statement|unprepared)\(\s*["']\s*(drop|truncate)/i

/** Several tasks may stand in one call, and variables between them: `rake RAILS_ENV=x db:drop db:create`. */
const RAILS = acting(
  ['', RESET, { word: RAILS_TASKS }],
  ['runner|r', RESET, { word: DELETES_ALL }],
  ['', PUBLISH, { word: /^release(:rubygem_push)?$/ }],
)
const DJANGO = acting(
  ['flush|reset_db|sqlreset|delete_all', RESET],
  ['migrate * zero', RESET],
  ['shell|shell_plus', RESET, { when: runsDeletion }],
)
const ARTISAN = acting(
  ['migrate:fresh|migrate:reset|migrate:refresh|db:wipe', RESET],
  ['tinker', RESET, { when: runsDeletion }],
)
const DOWN_TO_NOTHING: VerbRule = ['downgrade base|0', RESET]

const PRISMA = acting(['migrate reset', RESET], ['db push', RESET, { given: 'force-reset accept-data-loss' }])

/** A database for tests is made to be dropped. */
function unlessForTests(program: VerbProgram): Program {
  return { does: ({ command }) => (isForTests(command) ? [] : verbEffects(command, program)) }
}

/** Frameworks that build a database from an application's code, and can take it down again: by the script's name too. */
export const MIGRATIONS: ProgramTable = {
  prisma: {
    does: ({ command, input }) => {
      if (isForTests(command)) return []
      const given = input()
      return [...verbEffects(command, PRISMA), ...(given.kind === 'text' ? sqlEffects(given.forms) : [])]
    },
  },
  'sequelize sequelize-cli': unlessForTests(resets('db:drop|db:migrate:undo:all|db:seed:undo:all')),
  typeorm: unlessForTests(resets('schema:drop')),
  'mikro-orm': unlessForTests(resets('schema:drop|schema:fresh|migration:fresh|database:drop')),
  knex: unlessForTests(acting(['migrate:rollback', RESET, { given: 'all' }])),
  'drizzle-kit': unlessForTests(acting(['drop', RESET], ['push', RESET, { given: 'force' }])),
  rails: {
    ...unlessForTests(RAILS),
    credentials: [['the credentials of the application', /\bcredentials:show\b|\bencrypted:show\b/]],
  },
  rake: {
    ...unlessForTests(RAILS),
    scripts: { files: filesCalled('Rakefile', 'rakefile', 'Rakefile.rb'), language: 'ruby' },
  },
  'django-admin': unlessForTests(DJANGO),
  'manage.py': {
    does: ({ command }) => {
      if (isForTests(command)) return []
      return runsFlush(command) ? [RESET] : verbEffects(command, DJANGO)
    },
  },
  artisan: unlessForTests(ARTISAN),
  sail: unlessForTests({
    options: OPTIONS,
    nested: { artisan: ARTISAN, art: ARTISAN, a: ARTISAN },
    rules: [],
  }),
  console: unlessForTests(resets('doctrine:database:drop|doctrine:schema:drop|doctrine:fixtures:load')),
  doctrine: unlessForTests(resets('orm:schema-tool:drop|dbal:database:drop')),
  ace: unlessForTests(resets('migration:fresh|migration:reset|migration:refresh|db:wipe')),
  alembic: unlessForTests(acting(DOWN_TO_NOTHING)),
  flask: unlessForTests(acting(['db downgrade base', RESET])),
  flyway: unlessForTests(resets('clean')),
  liquibase: unlessForTests(resets('drop-all|dropAll')),
  goose: unlessForTests(acting(['', RESET, { word: /^(reset|down-to)$/ }])),
  migrate: unlessForTests({
    ...acting(['drop', RESET], ['down', RESET, { given: 'all' }]),
    singleDash: true,
  }),
  dbmate: unlessForTests(resets('drop')),
  'sea-orm-cli': unlessForTests(resets('migrate fresh|reset|refresh')),
  sqlx: unlessForTests(resets('database|db drop|reset')),
  diesel: unlessForTests(resets('database reset|drop')),
  phinx: unlessForTests(
    acting(['rollback', RESET, { when: ({ read }) => downTo(valuesOf(read, 'target')) }]),
  ),
  wp: unlessForTests(resets('db reset|drop|clean', 'site empty')),
  drush: unlessForTests(resets('sql:drop|sql-drop|site:install')),
  meteor: unlessForTests(resets('reset')),
  hasura: unlessForTests(
    acting(['migrate apply', RESET, { when: ({ read }) => downTo(valuesOf(read, 'down')) }]),
  ),
}

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

function runsDeletion({ read, rest }: VerbCall): Certainty {
  return someWord([...valuesOf(read, 'execute', 'command', 'c'), ...rest], DELETES_ALL)
}

function downTo(targets: readonly Word[]): Certainty {
  return someWord(targets, /^(0|all)$/)
}
