-- What happened in one issue or pull request, in order? Needs :full_name (owner/name) and :number.
SELECT created_at, user_login, coalesce(event, kind) AS what, body
FROM timeline
WHERE full_name = :full_name AND number = :number
ORDER BY created_at, kind = 'event';
