# The dialogues of gh, which speaks HTTPS only, by its command for any address.
set -eu
count=0
expect() {
  [ "$2" = "$3" ] || { echo "$1: expected $3, found $2" >&2; exit 1; }
  count=$((count + 1))
}
api() { gh api -H 'Accept: application/vnd.github+json' "$@"; }
expect 'the caller' "$(api "$BASE/api/v3/user" --jq .login)" mona-lindqvist
repository=$BASE/api/v3/repos/mona-lindqvist/tea-timer
expect 'a repository' "$(api "$repository" --jq .full_name)" mona-lindqvist/tea-timer
expect 'the branches' "$(api "$repository/branches" --jq '.[] | select(.name == "main") | .commit.sha' | wc -c)" 41
expect 'a file' "$(gh api -H 'Accept: application/vnd.github.raw' "$repository/contents/README.md" | head -c 1)" '#'
expect 'its clone address' "$(api "$repository" --jq .clone_url)" "$BASE/mona-lindqvist/tea-timer.git"
# What needs GraphQL is told so.
place=${BASE#https://}/mona-lindqvist/tea-timer
for command in 'repo view' 'issue list -R' 'pr list -R'; do
  said=$(gh $command "$place" 2>&1 || true)
  case $said in
    *'GraphQL is not offered here. Use the REST interface'*) count=$((count + 1)) ;;
    *) echo "gh $command: $said" >&2; exit 1 ;;
  esac
done
expect 'the files of a branch' "$(api "$repository/zipball/main" | head -c 2)" PK
events=$(api "$repository/issues/events?per_page=20" --paginate --jq '.[].id' | sort -u | wc -l)
one=$(api "$repository/issues/events?per_page=1" --jq '.[0].id')
expect 'one issue event' "$(api "$repository/issues/events/$one" --jq .id)" "$one"
[ "$events" -gt 30 ] || { echo "all pages have only $events issue events" >&2; exit 1; }
expect 'a feed' "$(api "$BASE/api/v3/events" --jq 'type')" array
id=$(api "$BASE/api/v3/user/migrations" -f 'repositories[]=mona-lindqvist/tea-timer' -F lock_repositories=true --jq .id)
state=pending
for _ in $(seq 600); do
  state=$(api "$BASE/api/v3/user/migrations/$id" --jq .state)
  [ "$state" = exported ] && break
  sleep 0.1
done
expect 'exported in the end' "$state" exported
expect 'a gzip archive' "$(api "$BASE/api/v3/user/migrations/$id/archive" | head -c 2 | od -An -tx1 | tr -d ' ')" 1f8b
api -X DELETE "$BASE/api/v3/user/migrations/$id/repos/tea-timer/lock"
expect 'unlocked twice' "$(api -X DELETE "$BASE/api/v3/user/migrations/$id/repos/tea-timer/lock" 2>/dev/null | grep -o 'Not Found')" 'Not Found'
api -X DELETE "$BASE/api/v3/user/migrations/$id/archive"
echo "$count"
