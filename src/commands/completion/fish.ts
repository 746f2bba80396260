export const FISH = `# Completion of holdpoint for fish.
#
# In this shell:
#   holdpoint completion fish | source
#
# In every new shell:
#   mkdir -p ~/.config/fish/completions
#   holdpoint completion fish > ~/.config/fish/completions/holdpoint.fish

function __holdpoint_complete
    set -l words (commandline -opc)
    set -l current (commandline -ct)
    set -e words[1]
    # In \`--config=file\` only the value is a path.
    set -l prefix (string match -r -- '^--[^=]+=' "$current")
    set -l path (string replace -r -- '^--[^=]+=' '' "$current")
    # Always ask the program on PATH: a path you typed must not run before you press Enter.
    for line in (command holdpoint complete -- $words "$current" 2>/dev/null </dev/null)
        switch $line
            case ':files'
                string replace -r -- '^' "$prefix" (__fish_complete_path "$path")
            case ':folders'
                string replace -r -- '^' "$prefix" (__fish_complete_directories "$path" '')
            case '*'
                echo -- $line
        end
    end
end

complete -c holdpoint -e
complete -c holdpoint -f -a '(__holdpoint_complete)'
`
