// The Witnessmark service from TypeScript. Made by tools/http_client.py from the OpenAPI document; do not edit.
// Needs fetch (Node 18 or newer, Deno, browsers) and nothing else.

export class WitnessmarkError extends Error {
  readonly status: number;
  readonly detail: string;
  readonly field?: string;

  constructor(status: number, detail: string, field?: string) {
    super(`${status}: ${detail}`);
    this.status = status;
    this.detail = detail;
    this.field = field;
  }
}

export interface ServerEvent {
  id?: string;
  event: string;
  data: unknown;
}

export interface Options {
  key?: string;
  fetch?: typeof fetch;
}

/** What an agent handed back, kept as it came: its faults are for the checks to find. */
export type AgentOutput = { kind: "agent_output"; summary?: unknown; data?: unknown; confidence?: unknown; tools_used?: unknown; metadata?: unknown; traceRef?: unknown; claims?: unknown; artifacts?: unknown };

/** An answer that should rest on the evidence. */
export type Answer = { kind: "answer"; text: string };

/** What is known of a key; the key itself is not. */
export type ApiKey = { id: string; workspace: string; role: "admin" | "review" | "verify"; name: string; rate_per_minute: number | null; created_at: number; revoked_at?: number | null };

/** Who did what to what. */
export type AuditLine = { at: number; who: string; what: string; target: string };

/** The newest lines of the audit log; `next` goes into `before`. */
export type AuditPage = { lines: Array<AuditLine>; next: string | null };

/** What was asked, what came out, and what it may rest on: the sole input of every check. */
export type Case = { subject?: Decomposition | AgentOutput | TaskOutput | Answer | Synthesis | Discussion | Mission; goal?: string; id?: string | null; checkpoint?: string | null; evidence?: Array<Evidence>; criteria?: Array<string | Criterion>; executor?: Executor | null; context?: { [name: string]: unknown }; reference?: string | null; question?: string; input?: string; answer?: string; output?: string; contexts?: string | Array<string | { [name: string]: unknown }>; sources?: string | Array<string | { [name: string]: unknown }>; documents?: string | Array<string | { [name: string]: unknown }>; expected?: string; ground_truth?: string; model?: string };

/** One case of a job: waiting, taken, done, refused or cancelled; its record, or what is wrong with it. */
export type CaseResult = { number: number; state: string; case_id: string | null; record_id: string | null; outcome: string | null; action: string | null; problem: string | null };

/** Some results in the order of the cases; `next` goes into `after`. */
export type CaseResults = { results: Array<CaseResult>; next: string | null };

/** One thing the output asserts and, once checked, whether it holds, what says so, and which words of it are wrong. */
export type Claim = { text: string; kind?: string; status?: "contradicted" | "partial" | "supported" | "unsupported" | "unverifiable"; span?: [number, number] | null; evidence?: Array<EvidenceRef>; reason?: string; probability?: number | null; details?: { [name: string]: unknown }; check?: string; words?: Array<WrongWords>; hedge?: "" | "hedge" | "instruction" | "note" | "opinion" | "question" | "quote" };

/** What POST /correct answers. */
export type CorrectedAnswer = { response: string; changed: boolean; outcome: "fail" | "partial" | "pass" | "unverified" | null; record_id: string | null; mode: string; stop_reason: string | null; log: Array<{ [name: string]: unknown }>; confidence: number | null; is_grounded: boolean | null; claims_checked: number; claims_supported: number; crag_attempts: number; claims?: Array<{ [name: string]: unknown }> };

/** One thing the output must satisfy: in words for a judge, or by the name of a deterministic check. */
export type Criterion = { text?: string | null; check?: string | null; value?: unknown; options?: { [name: string]: unknown }; weight?: number; must_pass?: boolean | null; id?: string | null; needs?: Array<string>; scale?: "binary" | "likert5" | "match" | "unit" | null; met_threshold?: number | null; principle?: boolean; kind?: "accuracy" | "clarity" | "completeness" | "depth" | "professionalism" | "relevance" | "safety" | null };

/** A plan: a goal, its subgoals, and the order they run in. */
export type Decomposition = { kind: "decomposition"; goal?: string; subgoals?: Array<Subgoal>; execution_order?: Array<Phase> | null };

/** What was said, and what the moderator made of it. */
export type Discussion = { kind: "discussion"; messages?: Array<Message>; conclusion?: string };

/** One source that the output may rest on. */
export type Evidence = { id: string; kind?: "agent_output" | "code" | "diff" | "file" | "message" | "passage" | "reasoning" | "tool_call" | "trace"; text?: string | null; data?: unknown; origin?: string | null; sha256?: string | null; name?: string | null; input?: unknown; output?: unknown; exit_code?: number | null };

/** A place in the evidence: which source, and where in it (code points, end excluded). */
export type EvidenceRef = { id: string; span?: [number, number] | null };

/** Who made the output, with which model, at what cost. */
export type Executor = { id?: string; model?: string | null; cost_usd?: number | null };

/** What to tell whoever made the output; rendered per target. */
export type Feedback = { level?: "basic" | "detailed"; attempt?: number; max_attempts?: number; previous_score?: number | null; failed?: Array<string>; issues?: Array<string>; suggestions?: Array<string> };

/** Something a person or an agent can act on. `message` is in our words and never repeats what was judged; `quote` is the judged text itself and `words` are those of it that are wrong, so that both can be left out or redacted without losing the finding. */
export type Finding = { message: string; category?: string; severity?: "error" | "info" | "warning"; suggestion?: string | null; quote?: string | null; span?: [number, number] | null; evidence?: Array<EvidenceRef>; check?: string; words?: Array<WrongWords>; judged?: boolean };

/** What LiteLLM reads; `witnessmark` is ours, one for each text that was verified. */
export type GuardrailReply = { action: "BLOCKED" | "GUARDRAIL_INTERVENED" | "NONE"; blocked_reason?: string | null; texts?: Array<string> | null; witnessmark?: Array<{ [name: string]: unknown }> | null };

/** What LiteLLM sends. Fields that are not known here are let be: the contract is in beta and grows. */
export type GuardrailRequest = { input_type: "request" | "response"; texts?: Array<string> | null; structured_messages?: Array<{ [name: string]: unknown }> | null; litellm_call_id?: string | null; litellm_trace_id?: string | null; model?: string | null; additional_provider_specific_params?: { [name: string]: unknown } | null; request_data?: { [name: string]: unknown } | null; images?: unknown[] | null; tools?: unknown[] | null; tool_calls?: unknown[] | null };

/** It is. */
export type Health = { status: string };

/** A job was made. */
export type JobAccepted = { id: string; state: string; total: number; href: string };

/** Some jobs, newest first; `next` goes into `after` for the following ones. */
export type JobList = { jobs: Array<JobProgress>; next: string | null };

/** A job: open, done or cancelled, and how many of its cases are where. */
export type JobProgress = { id: string; workspace: string; state: string; total: number; who: string; created_at: number; finished_at: number | null; counts: { [name: string]: number }; outcomes: { [name: string]: number } };

/** The keys of the workspace. */
export type KeyList = { keys: Array<ApiKey> };

/** A new key; `key` is shown this once. */
export type KeyWithSecret = { key: string; id: string; workspace: string; role: string; name: string };

/** One turn of a discussion. */
export type Message = { id: string; speaker: string; text: string };

/** Several tasks that serve one goal. */
export type Mission = { kind: "mission"; goal?: string; tasks?: Array<MissionTask> };

/** One task of a mission with its output and, where it was verified, its record. */
export type MissionTask = { id: string; description?: string; output?: string; depends_on?: Array<string>; record?: string | null };

/** A key to be made in the caller's own workspace. */
export type NewKey = { name: string; role?: "admin" | "review" | "verify"; rate_per_minute?: number | null };

/** What a run is for, and who is there to do it. */
export type NewOrchestration = { goal: string; agents?: Array<{ [name: string]: unknown }>; complexity?: "COMPLEX" | "CRITICAL" | "MEDIUM" | "SIMPLE"; interaction_id?: string | null; policy?: { [name: string]: unknown } };

/** All that a run remembers, as JSON. */
export type OrchestrationState = { id: string; goal: string; complexity?: "COMPLEX" | "CRITICAL" | "MEDIUM" | "SIMPLE"; agents?: Array<{ [name: string]: unknown }>; interaction_id?: string | null; policy?: { [name: string]: unknown }; plan?: Decomposition | null; steps?: { [name: string]: StepState } };

/** An agent's output for one subgoal. */
export type OutputStep = { output: { [name: string]: unknown }; evidence?: Array<Evidence>; executor?: Executor | null };

/** A person's word on a verdict. */
export type Override = { outcome: "fail" | "partial" | "pass" | "unverified"; reason: string; by?: string };

/** Subgoals that run one after the other, or at once. */
export type Phase = { phase?: "parallel" | "sequential"; subgoals?: Array<string> };

/** A plan as the planner handed it in. */
export type PlanStep = { plan: { [name: string]: unknown }; evidence?: Array<Evidence>; executor?: Executor | null };

/** The body of every answer that is not a good one. */
export type ProblemDetails = { title: string; status: number; detail?: string; field?: string | null; type?: string };

/** How many records lost their content. */
export type PurgeResult = { purged: number };

/** What really happened later. */
export type RealOutcome = { outcome: "fail" | "partial" | "pass"; reason?: string; facts?: { [name: string]: unknown } };

/** A verification that was made, with all it rests on by digest. */
export type Record = { id: string; case_id: string; case_digest: string; checkpoint: string; workspace: string; kind?: "audit" | "ending" | "outcome" | "override" | "verification"; outcome: "fail" | "partial" | "pass" | "unverified"; unverified_because?: "budget" | "check_error" | "check_missing" | "deadline" | "judge_error" | "language" | "no_claims" | "no_criteria" | "no_evidence" | "no_judge" | "skipped" | "undecided" | null; action: "abort" | "accept" | "correct" | "escalate" | "retry" | "switch" | "warn"; because?: string; layer?: string; degraded?: boolean; questions?: Array<string>; score?: number | null; confidence?: number | null; confidence_source?: "agreement" | "calibrated" | "deterministic" | "reported" | null; coverage?: number | null; independence?: "deterministic" | "family" | "model" | "none" | "prompt" | "unknown"; findings?: Array<Finding>; results?: Array<ResultRecord>; claims?: Array<Claim>; feedback?: Feedback | null; usage?: Usage; attempt?: number; parent?: string | null; evidence?: Array<RecordSource>; graph: unknown; policy: unknown };

/** One line about a record. */
export type RecordLine = { id: string; workspace: string; case_id: string; checkpoint: string; outcome: string; action: string; score: number | null; coverage: number | null; reason: string; at: number; runs: number };

/** Some records, newest first; `next` goes into `after` for the following ones. */
export type RecordPage = { records: Array<RecordLine>; next: string | null };

/** What the record keeps of one piece of evidence: enough to recognise it, not its content. */
export type RecordSource = { id: string; kind: "agent_output" | "code" | "diff" | "file" | "message" | "passage" | "reasoning" | "tool_call" | "trace"; sha256: string; origin?: string | null };

/** The response to the person. */
export type ResponseStep = { text: string; evidence?: Array<Evidence>; executor?: Executor | null };

/** What the record keeps of one result; its findings and claims stand beside all others. Made from a Result only, which was checked when it was built, so it is not checked again. */
export type ResultRecord = { node: string; check: string; version: string; status: "abstain" | "error" | "fail" | "partial" | "pass" | "skipped"; score?: number | null; reason?: string; cause?: "budget" | "check_error" | "check_missing" | "deadline" | "judge_error" | "language" | "no_claims" | "no_criteria" | "no_evidence" | "no_judge" | "skipped" | "undecided" | null; confidence?: number | null; confidence_source?: "agreement" | "calibrated" | "deterministic" | "reported"; independence?: "deterministic" | "family" | "model" | "none" | "prompt" | "unknown"; judge?: string | null; prompt?: string | null; details?: { [name: string]: unknown } };

/** Verify again; the case itself is needed where its content was not kept. */
export type ReverifyRequest = { case?: Case | null };

/** Words of a source, as it writes them: which source, and where in it (code points, end excluded). */
export type SourceWords = { id: string; text: string; span?: [number, number] | null };

/** One verified attempt at a step: its record, its output as it was handed in, and what it is compared by. */
export type StepAttempt = { record_id: string; output: unknown; same_as: string; rank: [number, number, number]; agent?: string };

/** What became of one attempt, and what to do next. `word` is PASS, RETRY or FAIL; `goes_on` says whether the run may use `output`, which is the best attempt as it was verified, or the agents' own outputs where a synthesis was given up. `feedback` is for the prompt of the next attempt, `switch_to` names the agent that gets it. `grade` says in words how good the score of a plan is. */
export type StepReport = { step: string; word: "FAIL" | "PASS" | "RETRY"; action: "abort" | "accept" | "correct" | "escalate" | "retry" | "switch" | "warn"; outcome: "fail" | "partial" | "pass" | "unverified"; because: string; attempt: number; max_attempts: number; record_id: string; independence: "deterministic" | "family" | "model" | "none" | "prompt" | "unknown"; score?: number | null; grade?: string | null; confidence?: number | null; coverage?: number | null; feedback?: string | null; switch_to?: string | null; degraded?: boolean; questions?: Array<string>; output?: unknown };

/** A step so far: its attempts, and its last report. */
export type StepState = { attempts?: Array<StepAttempt>; report?: StepReport | null; tried_agents?: Array<string> };

/** One step of a plan. */
export type Subgoal = { id: string; description?: string; agent?: string; depends_on?: Array<string>; needs?: Array<string>; critical?: boolean };

/** An answer put together from the outputs of several agents. */
export type Synthesis = { kind: "synthesis"; text: string };

/** A synthesis; it rests on the run's outputs and brings no evidence of its own. */
export type SynthesisStep = { text: string; executor?: Executor | null };

/** What is verified, in the words of a coordinator. */
export type Task = { task_id?: string | null; task_description?: string; success_criteria?: Array<string | Criterion>; task_output: string; verifier_model?: string | null; scoring_mode?: "binary" | "criteria_match" | "rubric"; executor?: Executor | null; evidence?: Array<Evidence>; context?: { [name: string]: unknown } };

/** What POST /verify-task answers. */
export type TaskAnswer = { verdict: string; confidence: number | null; aggregate_score: number | null; criteria_scores: Array<TaskCriterion>; quality_scores: { [name: string]: number | null }; tokens_used: number; cost: number | null; witnessmark: TaskExtra };

/** One criterion of it. */
export type TaskCriterion = { criterion: string; score: number | null; met: boolean | null; reasoning: string };

/** What is ours in it. */
export type TaskExtra = { outcome: "fail" | "partial" | "pass" | "unverified"; action: "abort" | "accept" | "correct" | "escalate" | "retry" | "switch" | "warn"; coverage: number | null; record_id: string; reason: string; cost_share: number | null; cost_standing: string };

/** What a task produced. */
export type TaskOutput = { kind: "task_output"; text: string };

/** What a verification cost. */
export type Usage = { judge_calls?: number; tokens?: number; cost_usd?: number | null; cached?: number };

/** The switches of a workspace. Off, nothing is verified and nothing passes; without correction nobody is asked to retry. `policy` lies over the one of the settings file, and under what a mission or a case says. */
export type Workspace = { verification?: boolean; correction?: boolean; retention_days?: number | null; policy?: { [name: string]: unknown } };

/** What an admin has set, and what comes of it together with the settings file. */
export type WorkspaceInForce = { verification?: boolean; correction?: boolean; retention_days?: number | null; policy?: { [name: string]: unknown }; policy_in_force?: { [name: string]: unknown }; retention_days_in_force?: number | null };

/** Words of the output that are wrong, where they stand in it, and the source's words nearest to them. `closest` is what a source says in that place or comes nearest to it; None where nothing comes near. */
export type WrongWords = { text: string; span?: [number, number] | null; closest?: SourceWords | null; absent?: boolean };


export class Witnessmark {
  private readonly base: string;
  private readonly options: Options;

  constructor(base: string, options: Options = {}) {
    this.base = base;
    this.options = options;
  }

  private async call(method: string, path: string, query?: object, body?: unknown): Promise<unknown> {
    const response = await this.ask(method, path, query, body);
    const text = await response.text();
    const json = (response.headers.get("content-type") ?? "").includes("json");
    return json && text ? JSON.parse(text) : text;
  }

  private async ask(method: string, path: string, query?: object, body?: unknown): Promise<Response> {
    const url = new URL(this.base.replace(/\/+$/, "") + path);
    for (const [name, value] of Object.entries(query ?? {})) if (value !== undefined) url.searchParams.set(name, String(value));
    const headers: { [name: string]: string } = { accept: "application/json" };
    if (this.options.key) headers.authorization = `Bearer ${this.options.key}`;
    if (body !== undefined) headers["content-type"] = "application/json";
    const response = await (this.options.fetch ?? fetch)(url, { method, headers, body: body === undefined ? undefined : JSON.stringify(body) });
    if (response.ok) return response;
    const text = await response.text();
    const problem = text.startsWith("{") ? JSON.parse(text) : undefined;
    throw new WitnessmarkError(response.status, problem?.detail ?? text, problem?.field);
  }

  private async *events(path: string): AsyncGenerator<ServerEvent> {
    const reader = (await this.ask("GET", path)).body!.pipeThrough(new TextDecoderStream()).getReader();
    let text = "";
    try {
      for (let part = await reader.read(); !part.done; part = await reader.read()) {
        const whole = (text + part.value).split("\n\n");
        text = whole.pop() ?? "";
        for (const one of whole) {
          const field = (name: string) => one.split("\n").find((line) => line.startsWith(name + ": "))?.slice(name.length + 2);
          const data = field("data");
          if (data !== undefined) yield { id: field("id"), event: field("event") ?? "message", data: JSON.parse(data) };
        }
      }
    } finally {
      await reader.cancel();
    }
  }

  /** Verify a case; returns its record. */
  async postVerify(body: Case): Promise<Record> {
    return (await this.call("POST", `/verify`, undefined, body)) as Record;
  }

  /** Verify a task in the words of a coordinator. */
  async postVerifyTask(body: Task): Promise<TaskAnswer> {
    return (await this.call("POST", `/verify-task`, undefined, body)) as TaskAnswer;
  }

  /** Correct an answer by its sources; returns the best version that was verified. */
  async postCorrect(body: Case): Promise<CorrectedAnswer> {
    return (await this.call("POST", `/correct`, undefined, body)) as CorrectedAnswer;
  }

  /** Verify many cases as a job; JSON, or one case per line as application/x-ndjson. */
  async postVerifyBatch(body: { cases: Array<{ [name: string]: unknown }> }): Promise<JobAccepted> {
    return (await this.call("POST", `/verify-batch`, undefined, body)) as JobAccepted;
  }

  /** Records, newest first. */
  async getRecords(query: { checkpoint?: string; outcome?: "pass" | "partial" | "fail" | "unverified"; action?: "accept" | "warn" | "retry" | "switch" | "correct" | "escalate" | "abort"; case_id?: string; kind?: "verification" | "override" | "outcome" | "audit" | "ending"; parent?: string; since?: string; until?: string; limit?: number; after?: string } = {}): Promise<RecordPage> {
    return (await this.call("GET", `/records`, query)) as RecordPage;
  }

  /** One record. */
  async getRecordsId(id: string): Promise<Record> {
    return (await this.call("GET", `/records/${encodeURIComponent(id)}`, undefined)) as Record;
  }

  /** Override a verdict with a person's decision, which holds from then on. */
  async postRecordsIdOverride(id: string, body: Override): Promise<Record> {
    return (await this.call("POST", `/records/${encodeURIComponent(id)}/override`, undefined, body)) as Record;
  }

  /** What really happened later. */
  async postRecordsIdOutcome(id: string, body: RealOutcome): Promise<Record> {
    return (await this.call("POST", `/records/${encodeURIComponent(id)}/outcome`, undefined, body)) as Record;
  }

  /** Verify the same case again. */
  async postRecordsIdReverify(id: string, body?: ReverifyRequest): Promise<Record> {
    return (await this.call("POST", `/records/${encodeURIComponent(id)}/reverify`, undefined, body)) as Record;
  }

  /** Jobs, newest first. */
  async getJobs(query: { limit?: number; after?: string } = {}): Promise<JobList> {
    return (await this.call("GET", `/jobs`, query)) as JobList;
  }

  /** The progress of a job. */
  async getJobsId(id: string): Promise<JobProgress> {
    return (await this.call("GET", `/jobs/${encodeURIComponent(id)}`, undefined)) as JobProgress;
  }

  /** Cancel a job. */
  async deleteJobsId(id: string): Promise<JobProgress> {
    return (await this.call("DELETE", `/jobs/${encodeURIComponent(id)}`, undefined)) as JobProgress;
  }

  /** The results of a job's cases. */
  async getJobsIdResults(id: string, query: { limit?: number; after?: number } = {}): Promise<CaseResults> {
    return (await this.call("GET", `/jobs/${encodeURIComponent(id)}/results`, query)) as CaseResults;
  }

  /** The workspace's settings. */
  async getSettingsWorkspace(): Promise<WorkspaceInForce> {
    return (await this.call("GET", `/settings/workspace`, undefined)) as WorkspaceInForce;
  }

  /** Switch verification or correction, or set how long content stays. */
  async patchSettingsWorkspace(body: Workspace): Promise<WorkspaceInForce> {
    return (await this.call("PATCH", `/settings/workspace`, undefined, body)) as WorkspaceInForce;
  }

  /** The keys of the workspace. */
  async getKeys(): Promise<KeyList> {
    return (await this.call("GET", `/keys`, undefined)) as KeyList;
  }

  /** Create a key. */
  async postKeys(body: NewKey): Promise<KeyWithSecret> {
    return (await this.call("POST", `/keys`, undefined, body)) as KeyWithSecret;
  }

  /** Revoke a key. */
  async deleteKeysId(id: string): Promise<void> {
    return (await this.call("DELETE", `/keys/${encodeURIComponent(id)}`, undefined)) as void;
  }

  /** The audit log, newest first. */
  async getAudit(query: { limit?: number; before?: string } = {}): Promise<AuditPage> {
    return (await this.call("GET", `/audit`, query)) as AuditPage;
  }

  /** Remove the content of every record of the caller's workspace. */
  async deleteWorkspacesNameRecords(name: string): Promise<PurgeResult> {
    return (await this.call("DELETE", `/workspaces/${encodeURIComponent(name)}/records`, undefined)) as PurgeResult;
  }

  /** Whether the process answers. */
  async getHealthz(): Promise<Health> {
    return (await this.call("GET", `/healthz`, undefined)) as Health;
  }

  /** Whether the service can do its work: the store can be read and written. */
  async getReadyz(): Promise<Health> {
    return (await this.call("GET", `/readyz`, undefined)) as Health;
  }

  /** Figures for Prometheus. */
  async getMetrics(): Promise<string> {
    return (await this.call("GET", `/metrics`, undefined)) as string;
  }

  /** Server-sent events: one for each record from now on. Leave the loop, and it is closed. */
  getEvents(): AsyncGenerator<ServerEvent> {
    return this.events(`/events`);
  }

  /** Check a coding agent's report when it stops. */
  async postHookClaudeCode(body: { session_id: string; transcript_path?: string; cwd?: string; hook_event_name?: "Stop" | "SubagentStop"; stop_hook_active?: boolean; last_assistant_message?: string | null }): Promise<{ decision?: "block"; reason?: string; systemMessage?: string }> {
    return (await this.call("POST", `/hook/claude-code`, undefined, body)) as { decision?: "block"; reason?: string; systemMessage?: string };
  }

  /** Begin an orchestrated run. */
  async postOrchestrations(body: NewOrchestration): Promise<OrchestrationState> {
    return (await this.call("POST", `/orchestrations`, undefined, body)) as OrchestrationState;
  }

  /** An orchestrated run so far. */
  async getOrchestrationsId(id: string): Promise<OrchestrationState> {
    return (await this.call("GET", `/orchestrations/${encodeURIComponent(id)}`, undefined)) as OrchestrationState;
  }

  /** Verify the run's plan. */
  async postOrchestrationsIdPlan(id: string, body: PlanStep): Promise<StepReport> {
    return (await this.call("POST", `/orchestrations/${encodeURIComponent(id)}/plan`, undefined, body)) as StepReport;
  }

  /** Verify an agent's output for one subgoal. */
  async postOrchestrationsIdOutputsSubgoal(id: string, subgoal: string, body: OutputStep): Promise<StepReport> {
    return (await this.call("POST", `/orchestrations/${encodeURIComponent(id)}/outputs/${encodeURIComponent(subgoal)}`, undefined, body)) as StepReport;
  }

  /** Verify the synthesis of the agents' outputs. */
  async postOrchestrationsIdSynthesis(id: string, body: SynthesisStep): Promise<StepReport> {
    return (await this.call("POST", `/orchestrations/${encodeURIComponent(id)}/synthesis`, undefined, body)) as StepReport;
  }

  /** Verify the response to the person. */
  async postOrchestrationsIdResponse(id: string, body: ResponseStep): Promise<StepReport> {
    return (await this.call("POST", `/orchestrations/${encodeURIComponent(id)}/response`, undefined, body)) as StepReport;
  }

  /** LiteLLM's generic guardrail API. */
  async postBetaLitellmBasicGuardrailApi(body: GuardrailRequest): Promise<GuardrailReply> {
    return (await this.call("POST", `/beta/litellm_basic_guardrail_api`, undefined, body)) as GuardrailReply;
  }

  /** This document. */
  async getOpenapiJson(): Promise<{ [name: string]: unknown }> {
    return (await this.call("GET", `/openapi.json`, undefined)) as { [name: string]: unknown };
  }

}
