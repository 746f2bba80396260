import { optionTable, valuesOf } from '../../arguments/options.ts'
import {
  type Certainty,
  certainly,
  isGiven,
  strongerOf,
  type VerbCall,
  type VerbProgram,
  type VerbRule,
} from '../../arguments/verbs.ts'
import { exactTexts, type Word } from '../../words/words.ts'
import { PUBLISH } from '../../programs/packages/acts.ts'
import { RESET } from './acts.ts'

const OPTIONS = optionTable(`
  schema= config= c= d|dataSource= e|env|environment= t|target= database= path= x= connection= n|name=
  p|project= s|startup-project= settings= pythonpath= url= source= migrations-path= models-path= from= to=
  dir= u= m= execute= down= command= seeder= force-reset accept-data-loss force f|force all pretend dry-run
  sql step= r= help h|help version skip-seed no-input noinput preview-feature configFiles= user=
`)

function program(...rules: readonly VerbRule[]): VerbProgram {
  return { options: OPTIONS, inert: ['help', 'version', 'sql'], dryRun: ['dry-run', 'pretend'], rules }
}

function resets(...verbs: readonly string[]): VerbProgram {
  return program(...verbs.map((each) => ({ verbs: each, act: RESET })))
}

/** Several tasks may stand in one call, and variables between them: `rake RAILS_ENV=x db:drop db:create`. */
const RAILS = program(
  { verbs: '', act: RESET, when: ({ rest }) => someWord(rest, RAILS_TASKS) },
  { verbs: 'runner|r', act: RESET, when: ({ rest }) => someWord(rest, DELETES_ALL) },
  { verbs: '', act: PUBLISH, when: ({ rest }) => someWord(rest, /^release(:rubygem_push)?$/) },
)
const RAILS_TASKS =
  /^(app:)?db:(drop|reset|purge|setup|truncate_all|schema:load|structure:load|migrate:reset|seed:replant)(:|$)/
/** One line of a framework that takes every row of a table, or the table. */
const DELETES_ALL =
  /\.(delete_all|destroy_all)\b|::(truncate|query\(\)->delete)\(|\.objects\.all\(\)\.delete\(|\bdrop_(table|database)\b|Schema::drop|DB::(statement|unprepared)\(\s*["']\s*(drop|truncate)/i

const DJANGO = program(
  { verbs: 'flush|reset_db|sqlreset|delete_all', act: RESET },
  { verbs: 'migrate * zero', act: RESET },
  { verbs: 'shell|shell_plus', act: RESET, when: runsDeletion },
)
const ARTISAN = program(
  { verbs: 'migrate:fresh|migrate:reset|migrate:refresh|db:wipe', act: RESET },
  { verbs: 'tinker', act: RESET, when: runsDeletion },
)
const DOWN_TO_NOTHING: VerbRule = { verbs: 'downgrade base|0', act: RESET }

/** By the name of the program, or of the script an interpreter runs. */
export const MIGRATION_PROGRAMS: ReadonlyMap<string, VerbProgram> = new Map([
  [
    'prisma',
    program(
      { verbs: 'migrate reset', act: RESET },
      {
        verbs: 'db push',
        act: RESET,
        when: ({ read }) => strongerOf(isGiven(read, 'force-reset'), isGiven(read, 'accept-data-loss')),
      },
    ),
  ],
  ['sequelize', resets('db:drop|db:migrate:undo:all|db:seed:undo:all')],
  ['sequelize-cli', resets('db:drop|db:migrate:undo:all|db:seed:undo:all')],
  ['typeorm', resets('schema:drop')],
  ['mikro-orm', resets('schema:drop|schema:fresh|migration:fresh|database:drop')],
  ['knex', program({ verbs: 'migrate:rollback', act: RESET, when: ({ read }) => isGiven(read, 'all') })],
  [
    'drizzle-kit',
    program(
      { verbs: 'drop', act: RESET },
      { verbs: 'push', act: RESET, when: ({ read }) => isGiven(read, 'force') },
    ),
  ],
  ['rails', RAILS],
  ['rake', RAILS],
  ['manage.py', DJANGO],
  ['django-admin', DJANGO],
  ['artisan', ARTISAN],
  ['sail', { options: OPTIONS, nested: { artisan: ARTISAN, art: ARTISAN, a: ARTISAN }, rules: [] }],
  ['console', resets('doctrine:database:drop|doctrine:schema:drop|doctrine:fixtures:load')],
  ['doctrine', resets('orm:schema-tool:drop|dbal:database:drop')],
  ['ace', resets('migration:fresh|migration:reset|migration:refresh|db:wipe')],
  ['alembic', program(DOWN_TO_NOTHING)],
  ['flask', program({ verbs: 'db downgrade base', act: RESET })],
  ['flyway', resets('clean')],
  ['liquibase', resets('drop-all|dropAll')],
  ['goose', program({ verbs: '', act: RESET, when: ({ rest }) => someWord(rest, /^(reset|down-to)$/) })],
  [
    'migrate',
    {
      ...program(
        { verbs: 'drop', act: RESET },
        { verbs: 'down', act: RESET, when: ({ read }) => isGiven(read, 'all') },
      ),
      singleDash: true,
    },
  ],
  ['dbmate', resets('drop')],
  ['sea-orm-cli', resets('migrate fresh|reset|refresh')],
  ['sqlx', resets('database|db drop|reset')],
  ['diesel', resets('database reset|drop')],
  ['phinx', program({ verbs: 'rollback', act: RESET, when: ({ read }) => downTo(valuesOf(read, 'target')) })],
  ['wp', resets('db reset|drop|clean', 'site empty')],
  ['drush', resets('sql:drop|sql-drop|site:install')],
  ['meteor', resets('reset')],
  [
    'hasura',
    program({ verbs: 'migrate apply', act: RESET, when: ({ read }) => downTo(valuesOf(read, 'down')) }),
  ],
])

function someWord(words: readonly Word[], pattern: RegExp): Certainty {
  return certainly(words.some((word) => exactTexts(word).some((text) => pattern.test(text))))
}

function runsDeletion({ read, rest }: VerbCall): Certainty {
  return someWord([...valuesOf(read, 'execute', 'command', 'c'), ...rest], DELETES_ALL)
}

function downTo(targets: readonly Word[]): Certainty {
  return someWord(targets, /^(0|all)$/)
}
