-- The schema results_v1: the only part of the database that dashboards read. docs/results.md says the same at length.
-- Rates of models are rows of table `result`; nothing here computes one (baselines need no model). Names that begin with an underscore are internal and never
-- granted. views.install drops all of them first, so that a view's shape can change between versions; it writes the columns
-- that several views share in place of names in braces (views.SHARED).

CREATE SCHEMA IF NOT EXISTS results_v1;

-- Companion suites, and whether all that is known of their judges rests on planted faults (oracles.suites).
CREATE VIEW results_v1._companion (suite, planted_only) AS {companions};

-- Which months have a benchmark that evaluations may ask; of two revisions of a month, the highest published that has
-- results is current: a chart stays as it is until the new revision is judged. Where none has any, the highest published.
CREATE VIEW results_v1._month AS
WITH asked AS (
    SELECT
        s.snapshot, s.month, s.revision, s.as_of, s.source, b.published,
        EXISTS (
            SELECT 1 FROM evaluation e JOIN result_set r ON r.evaluation_id = e.id WHERE e.snapshot = s.snapshot
        ) AS judged
    FROM snapshot s
    JOIN (SELECT snapshot, bool_or(published) AS published FROM benchmark_part GROUP BY snapshot) b
        ON b.snapshot = s.snapshot
), months AS (
    SELECT
        snapshot, to_date(month, 'YYYY-MM') AS month, as_of AS data_through, source, published, judged,
        published AND row_number() OVER (PARTITION BY month, published ORDER BY judged DESC, revision DESC) = 1
        AS is_current
    FROM asked
)
SELECT
    snapshot, month, data_through, source, published, is_current,
    is_current AND (month = max(month) FILTER (WHERE is_current AND judged) OVER ()) IS TRUE AS is_latest
FROM months;

-- One row per evaluation. Of several identities of a model in a month, the newest that has figures is current (the newest,
-- while none has): one that was begun and broken off takes nothing off a dashboard. A suite that is asked at
-- several temperatures or in several samples (docs/suites.md) has a current one of each.
CREATE VIEW results_v1._evaluation AS
SELECT
    e.id AS evaluation_id, o.month, o.snapshot, o.data_through, o.source, m.name AS model,
    starts_with(m.model_id, 'simulated/') AS simulated, m.model_id, m.model_sha, m.server_version,
    p.prompt, p.prompt || coalesce(', ' || e.route, '') || p.warmth AS variant, e.route, e.template, e.decoding,
    row_number() OVER newest = 1 AS is_newest_identity, o.is_current AND row_number() OVER newest = 1 AS is_current,
    o.is_latest AND row_number() OVER newest = 1 AS is_latest,
    o.is_current AND row_number() OVER newest_of_identity = 1 AS is_current_of_identity,
    (SELECT max(computed_at) FROM result_set WHERE evaluation_id = e.id) AS summarised_at
FROM evaluation e
JOIN results_v1._month o ON o.snapshot = e.snapshot
JOIN model m ON m.id = e.model_id
JOIN prompt_variant v ON v.id = e.variant_id
CROSS JOIN LATERAL (
    SELECT
        v.template || ' v' || v.version || ', ' || v.form || ', ' || v.context AS prompt,
        CASE WHEN starts_with(v.template, 'memory/')
            THEN ', temperature ' || coalesce(e.sampling ->> 'temperature', '0') ELSE '' END
        || CASE WHEN e.samples > 1 THEN ', ' || e.samples || ' samples' ELSE '' END AS warmth
) p
WINDOW newest AS (
    PARTITION BY o.snapshot, m.name, e.variant_id, e.route, p.warmth
    ORDER BY EXISTS (SELECT FROM result_set f WHERE f.evaluation_id = e.id) DESC, m.first_seen DESC, e.created_at DESC, e.id DESC
), newest_of_identity AS (
    PARTITION BY o.snapshot, m.id, e.variant_id, e.route, p.warmth
    ORDER BY EXISTS (SELECT FROM result_set f WHERE f.evaluation_id = e.id) DESC, e.created_at DESC, e.id DESC
);

-- One row per evaluation and profile that has figures; versions are compared number by number, whatever stands between.
CREATE VIEW results_v1._set AS
SELECT
    e.*, s.profile, s.profile_version, s.computed_at AS refreshed_at,
    row_number() OVER (
        PARTITION BY s.evaluation_id, s.profile
        ORDER BY (
            SELECT array_agg(part[1]::bigint) FROM regexp_matches(s.profile_version, '[0-9]{1,15}', 'g') part
        ) DESC NULLS LAST, s.profile_version DESC
    ) = 1 AS is_newest
FROM result_set s
JOIN results_v1._evaluation e ON e.evaluation_id = s.evaluation_id;

-- The figures of one scope and key side by side.
CREATE VIEW results_v1._figures AS
SELECT
    e.month, e.snapshot, e.data_through, e.refreshed_at, e.is_current AND e.is_newest AS is_current,
    e.is_latest AND e.is_newest AS is_latest, e.is_newest,
    e.is_newest_identity, e.source, e.model, e.simulated, e.model_id, e.model_sha, e.server_version, e.prompt, e.variant, e.route,
    e.template, e.decoding, e.evaluation_id, e.profile, e.profile_version, r.*,
    (SELECT planted_only FROM results_v1._companion o WHERE o.suite = r.suite)
FROM results_v1._set e
CROSS JOIN LATERAL (
    SELECT
        suite, scope, key,
        max(n) FILTER (WHERE metric = 'delivered') AS planned,
        max(hits) FILTER (WHERE metric = 'delivered') AS delivered,
        1 - max(value) FILTER (WHERE metric = 'delivered') AS undelivered_share,
        max(value) FILTER (WHERE metric = 'hallucination_rate') AS hallucination_rate,
        max(low) FILTER (WHERE metric = 'hallucination_rate') AS rate_low,
        max(high) FILTER (WHERE metric = 'hallucination_rate') AS rate_high,
        max(no_rate_reason) FILTER (WHERE metric = 'hallucination_rate') AS no_rate_reason,
        max(value) FILTER (WHERE metric = 'proved_rate') AS proved_rate,
        max(low) FILTER (WHERE metric = 'proved_rate') AS proved_low,
        max(high) FILTER (WHERE metric = 'proved_rate') AS proved_high,
        max(n) FILTER (WHERE metric = 'proved_rate') AS proved_delivered,
        max(value) FILTER (WHERE metric = 'proved_accuracy') AS proved_accuracy,
        max(low) FILTER (WHERE metric = 'proved_accuracy') AS proved_accuracy_low,
        max(high) FILTER (WHERE metric = 'proved_accuracy') AS proved_accuracy_high,
        max(value) FILTER (WHERE metric = 'band_high') AS band_high,
        max(value) FILTER (WHERE metric = 'unread_share') AS unread_share,
        max(value) FILTER (WHERE metric = 'unsupported_high') AS unsupported_high,
        max(value) FILTER (WHERE metric = 'unsupported_share') AS unsupported_share,
        max(low) FILTER (WHERE metric = 'unsupported_share') AS unsupported_low,
        max(high) FILTER (WHERE metric = 'unsupported_share') AS unsupported_high_end,
        max(value) FILTER (WHERE metric = 'unsupported_estimated') AS unsupported_estimated,
        max(n) FILTER (WHERE metric = 'unsupported_false') AS unsupported_facts,
        max(value) FILTER (WHERE metric = 'unsupported_false') AS unsupported_false,
        max(low) FILTER (WHERE metric = 'unsupported_false') AS unsupported_false_low,
        max(high) FILTER (WHERE metric = 'unsupported_false') AS unsupported_false_high,
        max(value) FILTER (WHERE metric = 'answered_share') AS answered_share,
        max(value) FILTER (WHERE metric = 'rate_among_answered') AS rate_among_answered,
        max(value) FILTER (WHERE metric = 'accuracy') AS accuracy,
        max(low) FILTER (WHERE metric = 'accuracy') AS accuracy_low,
        max(high) FILTER (WHERE metric = 'accuracy') AS accuracy_high,
        max(value) FILTER (WHERE metric = 'accuracy_among_answered') AS accuracy_among_answered,
        max(value) FILTER (WHERE metric = 'yes_rate') AS yes_rate,
        max(value) FILTER (WHERE metric = 'tpr') AS tpr,
        max(value) FILTER (WHERE metric = 'tnr') AS tnr,
        max(value) FILTER (WHERE metric = 'group_all_right') AS group_all_right,
        max(value) FILTER (WHERE metric = 'index') AS index,
        max(low) FILTER (WHERE metric = 'index') AS index_low,
        max(high) FILTER (WHERE metric = 'index') AS index_high,
        max(value) FILTER (WHERE metric = 'index_reasons') AS index_reasons,
        max(low) FILTER (WHERE metric = 'index_reasons') AS index_reasons_low,
        max(high) FILTER (WHERE metric = 'index_reasons') AS index_reasons_high,
        max(value) FILTER (WHERE metric = 'claims_read') AS claims_read,
        max(hits) FILTER (WHERE metric = 'normal') AS normal,
        max(hits) FILTER (WHERE metric = 'abstained') AS abstained,
        max(hits) FILTER (WHERE metric = 'error_knowledge') AS error_knowledge,
        max(hits) FILTER (WHERE metric = 'error_inference') AS error_inference,
        max(hits) FILTER (WHERE metric = 'both_errors') AS both_errors,
        max(hits) FILTER (WHERE metric = 'unattributed') AS unattributed,
        max(hits) FILTER (WHERE metric = 'unparseable') AS unparseable,
        max(hits) FILTER (WHERE metric = 'api_refused') AS api_refused,
        max(hits) FILTER (WHERE metric = 'no_answer') AS no_answer,
        max(hits) FILTER (WHERE metric = 'review') AS review,
        max(hits) FILTER (WHERE metric = 'right_sound') AS right_sound,
        max(hits) FILTER (WHERE metric = 'right_faulty') AS right_faulty,
        max(hits) FILTER (WHERE metric = 'wrong_sound') AS wrong_sound,
        max(hits) FILTER (WHERE metric = 'wrong_faulty') AS wrong_faulty,
        max(clusters) FILTER (WHERE metric = 'hallucination_rate') AS groups,
        max(design_effect) FILTER (WHERE metric = 'hallucination_rate') AS design_effect
    FROM result
    WHERE evaluation_id = e.evaluation_id AND profile = e.profile AND profile_version = e.profile_version
    GROUP BY suite, scope, key
) r;

-- Every figure as a row of its own: what other suites bring (AUROC, kappa, mean scores) stands here, too.
CREATE VIEW results_v1.metrics AS
SELECT
    e.month, e.snapshot, e.data_through, e.refreshed_at, e.is_current AND e.is_newest AS is_current,
    e.is_latest AND e.is_newest AS is_latest, e.is_current_of_identity AND e.is_newest AS is_current_of_identity, e.source,
    e.model, e.simulated, e.model_id, e.model_sha, e.server_version, e.variant, e.evaluation_id, e.profile,
    e.profile_version, r.suite,
    (SELECT planted_only FROM results_v1._companion o WHERE o.suite = r.suite), r.scope, r.key, r.metric, r.value,
    r.low, r.high, r.hits, r.n, r.clusters, r.design_effect, r.no_rate_reason
FROM results_v1._set e
JOIN result r USING (evaluation_id, profile, profile_version);

CREATE VIEW results_v1.by_model AS
SELECT
    {about}, {figures}, {unsupported},
    macro.value AS macro_rate, macro.low AS macro_low, macro.high AS macro_high
FROM results_v1._figures f
LEFT JOIN result macro
    ON macro.evaluation_id = f.evaluation_id AND macro.suite = 'headline' AND macro.scope = 'macro' AND macro.key = ''
    AND macro.profile = f.profile AND macro.profile_version = f.profile_version AND macro.metric = 'hallucination_rate'
WHERE f.scope = 'model';

-- One row a model: of the ways in which it was asked the headline, the one that most models of the month were asked in.
CREATE VIEW results_v1._board AS
SELECT DISTINCT ON (f.snapshot, f.model) f.*
FROM (
    SELECT *, count(*) OVER (PARTITION BY snapshot, prompt) AS asked_alike
    FROM results_v1._figures
    WHERE suite = 'headline' AND scope = 'model' AND profile = {headline} AND is_newest AND is_newest_identity
) f
ORDER BY f.snapshot, f.model, f.asked_alike DESC, f.prompt, f.evaluation_id;

-- The same for one suite alone; those of the headline add up to it, any other stands apart.
CREATE VIEW results_v1.by_suite AS
SELECT
    {about}, {figures}, {unsupported}
FROM results_v1._figures f
WHERE f.scope = 'suite';

-- Of the headline and of each suite: filter on one suite.
CREATE VIEW results_v1.by_domain AS
SELECT
    {about}, f.key AS domain, {figures}
FROM results_v1._figures f
WHERE f.scope = 'domain';

CREATE VIEW results_v1.by_rule AS
SELECT
    {about}, f.key AS rule_kind, split_part(f.key, '.', 1) AS kind, {figures}
FROM results_v1._figures f
WHERE f.scope = 'rule';

CREATE VIEW results_v1.by_kind AS
SELECT
    {about}, f.key AS kind, {figures}
FROM results_v1._figures f
WHERE f.scope = 'kind';

CREATE VIEW results_v1.by_cell AS
SELECT
    {about}, split_part(f.key, ' × ', 1) AS domain, split_part(f.key, ' × ', 2) AS kind, f.planned, f.delivered,
    f.undelivered_share, f.hallucination_rate, f.rate_low, f.rate_high, f.no_rate_reason, {proved}, f.accuracy,
    f.accuracy_low, f.accuracy_high, f.groups, f.design_effect
FROM results_v1._figures f
WHERE f.scope = 'cell';

-- Of what was designed to be hard: how well known, how many steps, a bridge, how near what is false, how precise a date.
CREATE VIEW results_v1.by_difficulty AS
SELECT
    {about}, split_part(f.key, ' × ', 1) AS feature, split_part(f.key, ' × ', 2) AS level, f.planned, f.delivered,
    f.undelivered_share, f.hallucination_rate, f.rate_low, f.rate_high, f.no_rate_reason, {proved}, f.accuracy,
    f.accuracy_low, f.accuracy_high, f.groups, f.design_effect
FROM results_v1._figures f
WHERE f.scope = 'difficulty';

-- Consistency of a metamorphic group, as the stage of scoring judged it (semantics.md 4.3): needs no gold.
CREATE VIEW results_v1.by_group AS
SELECT
    e.month, e.snapshot, e.data_through, e.summarised_at AS refreshed_at, e.is_current, e.is_latest, e.model, e.simulated,
    e.variant, e.evaluation_id, c.suite, c.licence, g.group_id, g.sample, g.members, g.decided, g.verdict, g.against
FROM group_verdict g
JOIN results_v1._evaluation e USING (evaluation_id)
CROSS JOIN LATERAL (
    SELECT c.suite, b.licence FROM cases c
    LEFT JOIN benchmark_case b ON b.case_id = c.id AND b.snapshot = e.snapshot
    WHERE c.group_id = g.group_id ORDER BY b.licence NULLS LAST LIMIT 1
) c;

-- What a participant without knowledge would score on the same questions, from the gold answers alone. A bare answer
-- lists no knowledge, so the published method finds no structure in it (edge and node similarity 0).
CREATE VIEW results_v1.baselines AS
WITH gold AS (
    SELECT b.snapshot, b.suite, p.frozen_at, c.gold = 'yes' AS yes, b.licence = 'proved' AS proved
    FROM benchmark_case b
    JOIN benchmark_part p USING (snapshot, suite)
    JOIN cases c ON c.id = b.case_id
    WHERE p.published AND c.gold IN ('yes', 'no')
), counted AS (
    SELECT snapshot, suite, max(frozen_at) AS frozen_at, count(*) AS cases, avg(yes::int)::float8 AS yes,
        count(*) FILTER (WHERE proved) AS proved_cases, (avg(yes::int) FILTER (WHERE proved))::float8 AS proved_yes
    FROM gold GROUP BY snapshot, suite
    UNION ALL
    SELECT snapshot, 'headline', max(frozen_at), count(*), avg(yes::int)::float8, count(*) FILTER (WHERE proved),
        (avg(yes::int) FILTER (WHERE proved))::float8
    FROM gold WHERE suite IN ('relation', 'temporal') GROUP BY snapshot
)
SELECT
    o.month, o.snapshot, o.data_through, g.frozen_at AS refreshed_at, o.is_current, o.is_latest, g.suite, p.profile,
    p.strategy, g.cases,
    CASE
        WHEN p.strategy = 'always refuse' THEN 0
        WHEN p.judges_all THEN 1
        WHEN p.strategy = 'coin' THEN 0.5
        ELSE 1 - g.yes
    END::float8 AS hallucination_rate,
    g.proved_cases,
    CASE
        WHEN g.proved_cases = 0 THEN NULL
        WHEN p.strategy = 'always refuse' THEN 0
        WHEN p.judges_all THEN 1
        WHEN p.strategy = 'coin' THEN 0.5
        ELSE 1 - g.proved_yes
    END::float8 AS proved_rate,
    CASE p.strategy WHEN 'always refuse' THEN 0 WHEN 'coin' THEN 0.5 ELSE g.yes END::float8 AS accuracy,
    CASE p.strategy WHEN 'always refuse' THEN 0 ELSE 1 END::float8 AS answered_share,
    CASE p.strategy WHEN 'always refuse' THEN NULL WHEN 'coin' THEN 0.5 ELSE 1 END::float8 AS yes_rate
FROM counted g
JOIN results_v1._month o ON o.snapshot = g.snapshot
CROSS JOIN (
    SELECT baseline AS profile, judges_all, strategy
    FROM ({profiles}) AS a (profile, baseline, judges_all)
    CROSS JOIN (VALUES ('always yes'), ('coin'), ('always refuse')) AS b (strategy)
) p;

-- Two models on the questions that both answered; A comes before B in the alphabet. One without a rate is in no pair.
CREATE VIEW results_v1.pairs AS
SELECT
    a.month, a.snapshot, a.data_through, a.refreshed_at, a.is_current AND a.is_newest AND b.is_current AND b.is_newest
    AS is_current, a.is_latest AND a.is_newest AND b.is_latest AND b.is_newest AS is_latest,
    a.model AS model_a, b.model AS model_b, a.simulated OR b.simulated AS simulated, a.variant,
    c.a AS evaluation_a, c.b AS evaluation_b, c.profile, c.suite,
    (SELECT planted_only FROM results_v1._companion o WHERE o.suite = c.suite), c.difference, c.low AS difference_low,
    c.high AS difference_high, c.proved_difference, c.proved_low AS proved_difference_low,
    c.proved_high AS proved_difference_high, c.proved_shared, c.p, c.p_adjusted, c.shared, c.groups, c.needed
FROM comparison c
JOIN results_v1._set a ON a.evaluation_id = c.a AND a.profile = c.profile AND a.profile_version = c.a_version
JOIN results_v1._set b ON b.evaluation_id = c.b AND b.profile = c.profile AND b.profile_version = c.b_version
WHERE c.kind = 'models';

-- A model over the months: each month's rate, and what changed on the questions that persist; new questions apart.
CREATE VIEW results_v1.trend AS
SELECT
    a.month, a.snapshot, a.data_through, a.refreshed_at, a.is_current AND a.is_newest AS is_current,
    a.is_latest AND a.is_newest AS is_latest, a.model,
    a.simulated, a.model_sha, a.variant, a.evaluation_id, a.profile, a.profile_version, r.suite,
    (SELECT planted_only FROM results_v1._companion o WHERE o.suite = r.suite),
    r.value AS hallucination_rate, r.low AS rate_low, r.high AS rate_high, r.no_rate_reason,
    proved.value AS proved_rate, proved.low AS proved_low, proved.high AS proved_high, proved.n AS proved_delivered,
    b.month AS previous_month, b.model_sha AS previous_sha, c.difference AS change, c.low AS change_low,
    c.high AS change_high, c.proved_difference AS proved_change, c.proved_low AS proved_change_low,
    c.proved_high AS proved_change_high, c.proved_shared, c.p, c.p_adjusted,
    c.shared, c.new_questions, c.new_rate, c.new_low, c.new_high
FROM results_v1._set a
JOIN result r ON r.evaluation_id = a.evaluation_id AND r.profile = a.profile AND r.profile_version = a.profile_version
    AND r.metric = 'hallucination_rate' AND r.key = '' AND r.scope IN ('model', 'suite')
LEFT JOIN result proved
    ON proved.evaluation_id = r.evaluation_id AND proved.suite = r.suite AND proved.scope = r.scope
    AND proved.key = r.key AND proved.profile = r.profile AND proved.profile_version = r.profile_version
    AND proved.metric = 'proved_rate'
LEFT JOIN comparison c
    ON c.a = a.evaluation_id AND c.profile = a.profile AND c.a_version = a.profile_version AND c.suite = r.suite
    AND c.kind = 'months'
LEFT JOIN results_v1._evaluation b ON b.evaluation_id = c.b;

-- Where a verdict was asked for in a turn of its own: how often the text before it concludes the opposite. A finding
-- about the model, and part of what `replay` counts as faulty reasoning.
CREATE VIEW results_v1.verdict_turns AS
SELECT
    e.month, e.snapshot, e.data_through, e.refreshed_at, e.is_current AND e.is_newest AS is_current,
    e.is_latest AND e.is_newest AS is_latest, e.model, e.simulated, e.variant, e.evaluation_id, e.profile,
    e.profile_version, r.suite, r.n AS verdict_turns, r.hits AS opposed, r.value AS opposed_share,
    r.low AS opposed_low, r.high AS opposed_high
FROM results_v1._set e
JOIN result r USING (evaluation_id, profile, profile_version)
WHERE e.profile = {headline} AND r.metric = 'opposed_share' AND r.key = '' AND r.scope IN ('model', 'suite') AND r.n > 0;

-- Open answers, side by side: of the suite, and of each domain, kind, stratum and word that says what is asked for.
-- Where too much was not judged, not read or not delivered the figures are NULL, and no_rate_reason says why.
CREATE VIEW results_v1.open_answers AS
SELECT
    e.month, e.snapshot, e.data_through, e.refreshed_at, e.is_current AND e.is_newest AS is_current,
    e.is_latest AND e.is_newest AS is_latest, e.model, e.simulated, e.variant, e.evaluation_id, e.profile,
    e.profile_version, r.suite, o.planted_only, r.scope, r.key, r.answers, r.right_share, r.right_low, r.right_high,
    r.wrong_share, r.wrong_low, r.wrong_high, r.less_precise_share, r.dont_know_share, r.unjudged_share,
    r.unread_share, r.attempted_right, r.attempted_right_low, r.attempted_right_high, r.f_score, r.f_score_low,
    r.f_score_high, r.open_index, r.open_index_low, r.open_index_high, r.calibration_error, r.brier, r.no_rate_reason
FROM results_v1._set e
CROSS JOIN LATERAL (
    SELECT
        suite, scope, key,
        max(n) FILTER (WHERE metric = 'open_right') AS answers,
        max(value) FILTER (WHERE metric = 'open_right') AS right_share,
        max(low) FILTER (WHERE metric = 'open_right') AS right_low,
        max(high) FILTER (WHERE metric = 'open_right') AS right_high,
        max(value) FILTER (WHERE metric = 'open_wrong') AS wrong_share,
        max(low) FILTER (WHERE metric = 'open_wrong') AS wrong_low,
        max(high) FILTER (WHERE metric = 'open_wrong') AS wrong_high,
        max(value) FILTER (WHERE metric = 'open_less_precise') AS less_precise_share,
        max(value) FILTER (WHERE metric = 'open_abstained') AS dont_know_share,
        max(value) FILTER (WHERE metric = 'open_unjudged') AS unjudged_share,
        max(value) FILTER (WHERE metric = 'open_unread') AS unread_share,
        max(value) FILTER (WHERE metric = 'open_attempted_right') AS attempted_right,
        max(low) FILTER (WHERE metric = 'open_attempted_right') AS attempted_right_low,
        max(high) FILTER (WHERE metric = 'open_attempted_right') AS attempted_right_high,
        max(value) FILTER (WHERE metric = 'open_f_score') AS f_score,
        max(low) FILTER (WHERE metric = 'open_f_score') AS f_score_low,
        max(high) FILTER (WHERE metric = 'open_f_score') AS f_score_high,
        max(value) FILTER (WHERE metric = 'open_index') AS open_index,
        max(low) FILTER (WHERE metric = 'open_index') AS open_index_low,
        max(high) FILTER (WHERE metric = 'open_index') AS open_index_high,
        max(value) FILTER (WHERE metric = 'open_calibration_error') AS calibration_error,
        max(value) FILTER (WHERE metric = 'open_brier') AS brier,
        max(no_rate_reason) FILTER (WHERE metric = 'open_right') AS no_rate_reason
    FROM result
    WHERE evaluation_id = e.evaluation_id AND profile = e.profile AND profile_version = e.profile_version
        AND starts_with(metric, 'open_') AND scope NOT IN ('confidence', 'surest')
    GROUP BY suite, scope, key
) r
LEFT JOIN results_v1._companion o ON o.suite = r.suite;

-- How far stated confidence holds: a row for each tenth of it (scope confidence), and for all answers of which a model is
-- at least so sure (scope surest).
CREATE VIEW results_v1.open_confidence AS
SELECT
    e.month, e.snapshot, e.data_through, e.refreshed_at, e.is_current AND e.is_newest AS is_current,
    e.is_latest AND e.is_newest AS is_latest, e.model, e.simulated, e.variant, e.evaluation_id, e.profile,
    e.profile_version, r.suite, o.planted_only, r.scope, r.key, r.answers, r.right_share, r.right_low, r.right_high,
    r.stated, r.covered, r.no_rate_reason
FROM results_v1._set e
CROSS JOIN LATERAL (
    SELECT
        suite, scope, key,
        max(n) FILTER (WHERE metric = 'open_answers_right') AS answers,
        max(value) FILTER (WHERE metric = 'open_answers_right') AS right_share,
        max(low) FILTER (WHERE metric = 'open_answers_right') AS right_low,
        max(high) FILTER (WHERE metric = 'open_answers_right') AS right_high,
        max(value) FILTER (WHERE metric = 'open_stated') AS stated,
        max(value) FILTER (WHERE metric = 'open_covered') AS covered,
        max(no_rate_reason) FILTER (WHERE metric = 'open_answers_right') AS no_rate_reason
    FROM result
    WHERE evaluation_id = e.evaluation_id AND profile = e.profile AND profile_version = e.profile_version
        AND scope IN ('confidence', 'surest') AND starts_with(metric, 'open_')
    GROUP BY suite, scope, key
) r
LEFT JOIN results_v1._companion o ON o.suite = r.suite;

-- The same fact asked openly and as a yes/no question: what a model says yes to and cannot tell.
CREATE VIEW results_v1.open_pairs AS
SELECT
    e.month, e.snapshot, e.data_through, e.refreshed_at, e.is_current AND e.is_newest AS is_current,
    e.is_latest AND e.is_newest AS is_latest, e.model, e.simulated, e.variant, e.evaluation_id, e.profile,
    e.profile_version, r.suite, o.planted_only, split_part(r.key, ' × ', 1) AS gold,
    split_part(r.key, ' × ', 2) AS yes_no_variant, r.pairs, r.right_on_both, r.right_on_yes_no_alone,
    r.right_openly_alone, r.right_on_neither
FROM results_v1._set e
CROSS JOIN LATERAL (
    SELECT
        suite, key, max(n) AS pairs,
        max(hits) FILTER (WHERE metric = 'pairs_both') AS right_on_both,
        max(hits) FILTER (WHERE metric = 'pairs_recognised') AS right_on_yes_no_alone,
        max(hits) FILTER (WHERE metric = 'pairs_told') AS right_openly_alone,
        max(hits) FILTER (WHERE metric = 'pairs_neither') AS right_on_neither
    FROM result
    WHERE evaluation_id = e.evaluation_id AND profile = e.profile AND profile_version = e.profile_version
        AND scope = 'pairs'
    GROUP BY suite, key
) r
LEFT JOIN results_v1._companion o ON o.suite = r.suite;

CREATE VIEW results_v1.cost AS
SELECT
    e.month, e.snapshot, e.data_through, e.refreshed_at, e.is_current, e.is_latest, e.model, e.simulated, e.variant,
    e.evaluation_id, 'all' AS suite, r.responses, r.prompt_tokens, r.generated_tokens, r.ms_median, r.ms_p95, r.attempts, r.dead_letters
FROM results_v1._set e
CROSS JOIN LATERAL (
    SELECT
        max(n) AS responses,
        max(value) FILTER (WHERE metric = 'prompt_tokens')::bigint AS prompt_tokens,
        max(value) FILTER (WHERE metric = 'generated_tokens')::bigint AS generated_tokens,
        max(value) FILTER (WHERE metric = 'ms_median') AS ms_median,
        max(value) FILTER (WHERE metric = 'ms_p95') AS ms_p95,
        max(value) FILTER (WHERE metric = 'attempts')::bigint AS attempts,
        max(value) FILTER (WHERE metric = 'dead_letters')::bigint AS dead_letters
    FROM result
    WHERE evaluation_id = e.evaluation_id AND suite = 'all' AND scope = 'cost'
) r
WHERE e.profile = '';

-- An incident stays current while its month has no benchmark yet: what failed must not vanish behind a filter.
CREATE VIEW results_v1.incidents AS
SELECT
    i.id, i.at, CASE WHEN i.snapshot ~ '^[0-9]{4}-[0-9]{2}' THEN to_date(left(i.snapshot, 7), 'YYYY-MM') END AS month,
    i.snapshot, o.data_through, i.at AS refreshed_at, coalesce(o.is_current OR NOT o.published, true) AS is_current,
    i.kind, i."where", i.message, i.way_out
FROM incident i
LEFT JOIN results_v1._month o ON o.snapshot = i.snapshot;

-- The heartbeat of querying: a lane is one shard of an evaluation on its way through a model server. A lane that was
-- killed says nothing more, so silence is read off the clock.
CREATE VIEW results_v1.lanes AS
SELECT
    e.month, e.snapshot, e.data_through, l.beat_at AS refreshed_at, e.is_current, e.is_latest, e.model, e.simulated,
    e.variant, l.evaluation_id, 'all' AS suite, l.server, l.shard, l.shards,
    CASE WHEN l.state = 'asking' AND l.beat_at < now() - interval '30 seconds' THEN 'silent' ELSE l.state END AS state,
    l.total, l.done, l.dead, l.rate AS per_second, l.in_flight, l.allowed, l.failures AS failed_attempts,
    l.eta_seconds, l.message, l.started_at, l.beat_at
FROM lane l
JOIN results_v1._evaluation e USING (evaluation_id);

-- How far an oracle profile can be trusted: on real responses that people labelled (part real_text, `halluvault oracle
-- label read --keep`), on the labelled sets that come with the version (studies/texts, stored when a month is scored), and
-- runs of the study of planted faults, one row for all responses of a part and one for those whose answer is right. A part that is kept back counts by its first run of a version alone.
CREATE VIEW results_v1.oracle_trust AS
SELECT
    CASE WHEN o.snapshot ~ '^[0-9]{4}-[0-9]{2}' THEN to_date(left(o.snapshot, 7), 'YYYY-MM') END AS month,
    o.snapshot,
    s.as_of AS data_through,
    o.ran_at AS refreshed_at,
    row_number() OVER (PARTITION BY o.part, r.report ->> 'profile', g.stratum ORDER BY o.ran_at DESC) = 1 AS is_current,
    o.part,
    left(o.oracle_hash, 16) AS oracle_version,
    r.report ->> 'profile' AS profile,
    r.report ->> 'version' AS profile_version,
    g.stratum,
    (f.figures ->> 'responses')::int AS responses,
    (f.figures ->> 'clusters')::int AS seed_facts,
    (f.figures #>> '{precision,rate}')::float8 AS precision,
    (f.figures #>> '{precision,low}')::float8 AS precision_low,
    (f.figures #>> '{precision,high}')::float8 AS precision_high,
    (f.figures #>> '{recall,rate}')::float8 AS recall,
    (f.figures #>> '{recall,low}')::float8 AS recall_low,
    (f.figures #>> '{recall,high}')::float8 AS recall_high,
    (f.figures #>> '{sound_convicted,rate}')::float8 AS sound_convicted,
    (f.figures #>> '{sound_convicted,low}')::float8 AS sound_convicted_low,
    (f.figures #>> '{sound_convicted,high}')::float8 AS sound_convicted_high,
    (f.figures #>> '{category,rate}')::float8 AS category_accuracy,
    (f.figures #>> '{category,low}')::float8 AS category_low,
    (f.figures #>> '{category,high}')::float8 AS category_high,
    (r.report #>> '{verbose,rate}')::float8 AS verbose_alarms,
    (r.report #>> '{verbose,low}')::float8 AS verbose_alarms_low,
    (r.report #>> '{verbose,high}')::float8 AS verbose_alarms_high,
    (f.figures ->> 'coverage')::float8 AS claims_linked,
    o.ran_at
FROM (
    SELECT DISTINCT ON (snapshot, part, oracle_hash) *
    FROM oracle_study
    WHERE part <> 'ablation'
    ORDER BY snapshot, part, oracle_hash, CASE WHEN part = 'kept_back' THEN ran_at END, ran_at DESC
) o
LEFT JOIN snapshot s ON s.snapshot = o.snapshot
CROSS JOIN LATERAL jsonb_array_elements(o.figures -> 'reports') AS r (report)
CROSS JOIN (VALUES ('all', 'all'), ('right answer', 'right_answer')) AS g (stratum, key)
CROSS JOIN LATERAL (SELECT r.report -> g.key AS figures) AS f
WHERE f.figures IS NOT NULL;

CREATE VIEW results_v1.cases AS
SELECT
    o.month, o.snapshot, o.data_through,
    (SELECT frozen_at FROM benchmark_part WHERE snapshot = b.snapshot AND suite = b.suite) AS refreshed_at,
    o.is_current, o.is_latest, b.suite, b.domain, b.rule_kind, b.licence,
    CASE WHEN b.suite = 'pressure'
        THEN coalesce(nullif(b.fact -> 'case' -> 'tags', '[]'), jsonb_build_array(b.rule_kind)) END AS tags,
    b.fact #> '{difficulty,features}' AS difficulty,
    c.id AS case_id, c.question, c.gold, c.group_id, c.mutation, c.relation, c.supersedes, b.property, b.subject, b.object, b.premises, b.proof
FROM benchmark_case b
JOIN cases c ON c.id = b.case_id
JOIN results_v1._month o ON o.snapshot = b.snapshot;

-- As `oracles.exchange`: where a prompt's last turn asks for a form alone, what argues is the model's turn before it; where
-- the turn before asks for one, too (a name, then how sure the model is), the one before that.
CREATE VIEW results_v1.responses AS
SELECT
    e.month, e.snapshot, e.data_through, r.received_at AS refreshed_at, e.is_current, e.is_latest, e.model, e.simulated,
    e.variant, r.evaluation_id, (SELECT suite FROM cases WHERE id = r.case_id) AS suite,
    (SELECT licence FROM benchmark_case b WHERE b.snapshot = e.snapshot AND b.case_id = r.case_id) AS licence, r.case_id, r.sample, r.status, r.text, r.refusal, r.thought, r.error, r.finish_reason, r.prompt_tokens, r.generated_tokens, r.thought_tokens, r.queue_ms,
    r.inference_ms, r.total_ms, r.attempts, r.received_at,
    (
        SELECT r.transcript -> CASE WHEN p.text::jsonb -> -3 ->> 'guide' IS NULL THEN -3 ELSE -5 END ->> 'content'
        FROM evaluation x
        JOIN prompt p ON p.snapshot = x.snapshot AND p.variant_id = x.variant_id AND p.case_id = r.case_id
        WHERE x.id = r.evaluation_id AND jsonb_array_length(r.transcript) > 2 AND p.text::jsonb -> -1 ->> 'guide' IS NOT NULL
            -- An exchange that a refusal or silence ended has no turn that asks for a form.
            AND jsonb_array_length(r.transcript) > jsonb_array_length(p.text::jsonb)
    ) AS explanation,
    r.transcript
FROM response r
JOIN results_v1._evaluation e USING (evaluation_id);

CREATE VIEW results_v1.verdicts AS
SELECT
    e.month, e.snapshot, e.data_through, s.refreshed_at, e.is_current AND coalesce(s.is_newest, false) AS is_current,
    e.is_latest AND coalesce(s.is_newest, false) AS is_latest, e.model, e.simulated, e.variant, v.evaluation_id,
    (SELECT suite FROM cases WHERE id = v.case_id) AS suite,
    (SELECT licence FROM benchmark_case b WHERE b.snapshot = e.snapshot AND b.case_id = v.case_id) AS licence, v.case_id, v.sample, v.profile, v.profile_version, v.answer, v.correct,
    v.category, v.sub_label, v.reasoning_faulty, v.edge_similarity, v.node_similarity, v.detail
FROM verdict v
JOIN results_v1._evaluation e USING (evaluation_id)
LEFT JOIN results_v1._set s USING (evaluation_id, profile, profile_version);

-- How hard questions are, by the answers of a month's models in one variant (results/items): estimates of one fit, not rates.
CREATE VIEW results_v1.items AS
SELECT
    m.month, i.snapshot, m.data_through, i.computed_at AS refreshed_at, m.is_current, m.is_latest, i.variant, i.suite,
    i.simulated, i.models, i.scope, i.key, i.value, i.low, i.high, i.questions
FROM item_figure i
JOIN results_v1._month m USING (snapshot);

-- Who is best, by an index that charges for wrong answers and rewards no silence (semantics.md 4.4). The judge's precision
-- and recall are those on this installation's own labelled responses, else the mean over the sets of real models' answers
-- that come with the version, weighted by responses.
CREATE VIEW results_v1.leaderboard AS
SELECT
    f.month, f.snapshot, f.data_through, f.refreshed_at, f.is_current, f.is_latest, f.model, f.simulated, f.model_id, f.model_sha,
    f.variant, f.evaluation_id, f.profile, f.profile_version, f.suite, r.value::int AS rank, r.low::int AS rank_low,
    r.high::int AS rank_high, r.n::int AS models, round(f.index::numeric, 4)::float8 AS index,
    round(f.index_low::numeric, 4)::float8 AS index_low, round(f.index_high::numeric, 4)::float8 AS index_high,
    round(f.index_reasons::numeric, 4)::float8 AS index_reasons,
    round(f.index_reasons_low::numeric, 4)::float8 AS index_reasons_low,
    round(f.index_reasons_high::numeric, 4)::float8 AS index_reasons_high,
    round(f.hallucination_rate::numeric, 4)::float8 AS hallucination_rate, round(f.rate_low::numeric, 4)::float8 AS rate_low,
    round(f.rate_high::numeric, 4)::float8 AS rate_high, f.no_rate_reason,
    round(f.answered_share::numeric, 4)::float8 AS answered_share, round(f.accuracy::numeric, 4)::float8 AS accuracy,
    f.planned, f.delivered, round((f.proved_delivered::numeric / nullif(f.delivered, 0)), 4)::float8 AS proved_share,
    round(f.claims_read::numeric, 4)::float8 AS claims_read, round(j.precision::numeric, 4)::float8 AS judge_precision,
    round(j.recall::numeric, 4)::float8 AS judge_recall, t.generated_tokens
FROM results_v1._board f
LEFT JOIN result r
    ON r.evaluation_id = f.evaluation_id AND r.suite = f.suite AND r.scope = 'rank' AND r.key = '' AND r.profile = f.profile
    AND r.profile_version = f.profile_version AND r.metric = 'index_rank'
LEFT JOIN LATERAL (
    SELECT value::bigint AS generated_tokens FROM result
    WHERE evaluation_id = f.evaluation_id AND suite = 'all' AND scope = 'cost' AND metric = 'generated_tokens'
) t ON true
LEFT JOIN (
    SELECT DISTINCT ON (profile, profile_version)
        profile, profile_version, sum(precision * responses) / sum(responses) FILTER (WHERE precision IS NOT NULL) AS precision,
        sum(recall * responses) / sum(responses) FILTER (WHERE recall IS NOT NULL) AS recall
    FROM results_v1.oracle_trust
    WHERE is_current AND stratum = 'all' AND part IN ('real_text', {real_answers})
    GROUP BY profile, profile_version, part = 'real_text'
    ORDER BY profile, profile_version, part = 'real_text' DESC
) j ON j.profile = f.profile AND j.profile_version = f.profile_version;
