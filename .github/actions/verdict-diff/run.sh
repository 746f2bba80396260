#!/usr/bin/env bash
# Runs the verdict diff and keeps its exit code, whatever happens to the summary or the comment.
set -euo pipefail

report="${RUNNER_TEMP:-/tmp}/holdpoint-verdict-diff.md"
# HOLDPOINT lets a test, or a runner without npm, use an installed program.
read -r -a holdpoint <<<"${HOLDPOINT:-npx --yes holdpoint@${VERSION:-latest}}"

if [[ -z "${AGAINST:-}" ]]; then
  echo "::error::Nothing to compare with. Set \`against\`, or run this on a pull request." >&2
  exit 2
fi
if [[ ! -f "$AGAINST" && "$AGAINST" != none ]] &&
  ! git rev-parse --verify --quiet --end-of-options "$AGAINST^{commit}" >/dev/null; then
  git fetch --quiet --no-tags --depth=1 origin "$AGAINST"
  # A branch that was fetched is known as FETCH_HEAD only.
  git rev-parse --verify --quiet --end-of-options "$AGAINST^{commit}" >/dev/null || AGAINST=FETCH_HEAD
fi

arguments=(replay --file "$SAMPLE" --against "$AGAINST" --markdown)
if [[ -n "${FAIL_ON:-}" ]]; then arguments+=(--fail-on "$FAIL_ON"); fi

status=0
"${holdpoint[@]}" "${arguments[@]}" >"$report" || status=$?
cat "$report"
if [[ -n "${GITHUB_STEP_SUMMARY:-}" ]]; then cat "$report" >>"$GITHUB_STEP_SUMMARY"; fi
if [[ -n "${GITHUB_OUTPUT:-}" ]]; then echo "report=$report" >>"$GITHUB_OUTPUT"; fi
if [[ "${COMMENT:-false}" == true && -n "${PULL_REQUEST:-}" ]]; then
  gh pr comment "$PULL_REQUEST" --edit-last --create-if-none --body-file "$report" ||
    echo "::warning::The comment could not be written." >&2
fi
exit "$status"
