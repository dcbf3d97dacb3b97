# The dialogues of hub, by its command for any address.
set -eu
count=0
expect() {
  [ "$2" = "$3" ] || { echo "$1: expected $3, found $2" >&2; exit 1; }
  count=$((count + 1))
}
flat() { hub api --flat "$@"; }
value() { grep "^\.$1	" | cut -f2; }
expect 'the caller' "$(flat user | value login)" mona-lindqvist
expect 'a repository' "$(flat repos/mona-lindqvist/tea-timer | value full_name)" mona-lindqvist/tea-timer
expect 'issues and pull requests' "$(flat 'repos/mona-lindqvist/tea-timer/issues?state=all' | grep -c '^\.\[[0-9]*\]\.number')" 9
expect 'a feed' "$(hub api events | head -c 1)" '['
pages=$(hub api --paginate 'repos/mona-lindqvist/tea-timer/issues/events?per_page=20' | tr ',' '\n' | grep -c '"event":')
[ "$pages" -gt 30 ] || { echo "all pages have only $pages issue events" >&2; exit 1; }
expect 'an unknown repository' "$(hub api repos/mona-lindqvist/none 2>/dev/null | grep -o 'Not Found')" 'Not Found'
echo "$count"
