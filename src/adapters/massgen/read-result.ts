import { isFailure } from '../../core/decision.ts'
import { bad, good, type Result } from '../../core/errors.ts'
import { injectionOf } from '../../core/formats/massgen-aggregate.ts'
import {
  type Execution,
  type MassGenResult,
  readInjection,
  resultFields,
} from '../../core/formats/massgen-result.ts'
import { isObject, type Json, type JsonObject } from '../../core/json.ts'
import { readAnswer } from '../../handlers/read-answer.ts'

/**
 * A complete result from anything a hook may return. The answer is read as for every hook; fields that only
 * results have are read here.
 */
export function readHookResult(returned: unknown): Result<MassGenResult> {
  const answer = readAnswer(returned, { kind: 'function', protocol: 'massgen' })
  if (isFailure(answer)) return invalid(`A hook ${answer.message}.`)
  const { effect = 'pass', rewrite = null, context = [] } = answer ?? {}
  const fields: JsonObject = (isObject(returned) ? resultFields(returned) : undefined) ?? {}
  const { reason = answer?.reason ?? null, executions = [], hook_errors: errors } = fields
  if (reason !== null && typeof reason !== 'string') return invalid('`reason` is not a string.')
  if (!isExecutions(executions)) return invalid('`executions` is not a list of runs.')
  const inject = readInjection(fields.inject)
  return good({
    allowed: effect !== 'deny',
    decision: effect === 'deny' || effect === 'ask' ? effect : 'allow',
    reason,
    updated_input: rewrite,
    // The original list, if there is one: the answer does not keep the order of texts.
    inject: (inject.ok ? inject.value : null) ?? injectionOf(context),
    hook_errors: (errors ?? []) as readonly string[],
    executions,
  })
}

function isExecutions(value: Json): value is Json & readonly Execution[] {
  const isRun = (each: Json) =>
    isObject(each) && typeof each.hook === 'string' && typeof each.duration_ms === 'number'
  return Array.isArray(value) && value.every(isRun)
}

function invalid(message: string): Result<never> {
  return bad('HOOK_INVALID', message)
}
