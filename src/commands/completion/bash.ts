/**
 * Works with bash 3.2, the version on macOS: no `mapfile`, no negative index, `compopt` only if it exists.
 */
export const BASH = `# Completion of holdpoint for bash.
#
# In this shell:
#   source <(holdpoint completion bash)
#
# In every new shell, with the package bash-completion installed:
#   mkdir -p ~/.local/share/bash-completion/completions
#   holdpoint completion bash > ~/.local/share/bash-completion/completions/holdpoint
#
# In every new shell, without that package:
#   echo 'source <(holdpoint completion bash)' >> ~/.bashrc

_holdpoint() {
  local IFS=$' \\t\\n' line word count=0 index
  local -a words
  COMPREPLY=()
  # Bash splits \`--host=codex\` into three words. They are one.
  for ((index = 1; index <= COMP_CWORD; index++)); do
    word=\${COMP_WORDS[index]}
    # Of the last word, what is left of the cursor.
    if ((index == COMP_CWORD)) && [[ $word != = ]]; then word=$2; fi
    if ((count > 0)) && [[ \${words[count - 1]} == --* && $word == = ]]; then
      words[count - 1]+==
    elif ((count > 0)) && [[ \${words[count - 1]} == --*= ]]; then
      words[count - 1]+=$word
    else
      words[count]=$word
      count=$((count + 1))
    fi
  done
  word=\${words[count - 1]}
  # Always ask the program on PATH: a path you typed must not run before you press Enter.
  while IFS= read -r line; do
    case $line in
      :files) compopt -o default 2>/dev/null || _holdpoint_paths -f "$2" ;;
      :folders) compopt -o dirnames 2>/dev/null || _holdpoint_paths -d "$2" ;;
      *)
        line=\${line%%$'\\t'*}
        [[ $word == --*=* && $COMP_WORDBREAKS == *=* ]] && line=\${line#*=}
        COMPREPLY+=("$line")
        ;;
    esac
  done < <(command holdpoint complete -- "\${words[@]}" 2>/dev/null </dev/null)
}

_holdpoint_paths() {
  local line
  while IFS= read -r line; do COMPREPLY+=("$line"); done < <(compgen "$1" -- "$2")
}

complete -F _holdpoint holdpoint
`
