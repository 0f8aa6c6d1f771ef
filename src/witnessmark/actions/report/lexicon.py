"""The words that reports are made of: verbs and what they do to a file, and the words that turn a claim into something else.

Only vocabulary; what the words mean together is in `report_clauses` and `report_contexts`.
"""

from __future__ import annotations

from typing import Literal

from witnessmark.text.word_sets import listed

VerbClass = Literal["create", "write", "add", "edit", "delete", "move", "run", "verify"]


def _forms(cls: VerbClass, *verbs: str) -> dict[str, tuple[VerbClass, str]]:
    """Each verb is `base` or `base/past` or `base/past/participle`; regular forms are made."""
    made: dict[str, tuple[VerbClass, str]] = {}
    for verb in verbs:
        base, *given = verb.split("/")
        past = given or [base + ("d" if base.endswith("e") else "ed")]
        made[base] = (cls, "base")
        made[_third(base)] = (cls, "third")
        made[(base.removesuffix("e") if not base.endswith("ee") else base) + "ing"] = (cls, "ing")
        made |= dict.fromkeys(past, (cls, "past"))
    return made


def _third(base: str) -> str:
    if base.endswith("y") and base[-2] not in "aeiou":
        return base[:-1] + "ies"
    return base + ("es" if base.endswith(("s", "x", "ch", "sh")) else "s")


VERBS: dict[str, tuple[VerbClass, str]] = (
    _forms("create", "create", "scaffold", "bootstrap/bootstrapped", "initialize", "initialise", "author", "draft", "vendor")
    | _forms(
        "write", "write/wrote/written", "generate", "regenerate", "save", "dump", "store", "render", "produce", "output",
        "emit/emitted", "rebuild/rebuilt",
    )
    | _forms("add", "add", "introduce", "put/put", "insert", "append", "include", "define", "place", "drop in/dropped-in")
    | _forms(
        "edit", "update", "modify/modified", "change", "edit", "fix", "refactor", "rewrite/rewrote/rewritten", "replace", "adjust",
        "adapt", "extend", "improve", "tweak", "correct", "patch", "bump", "upgrade", "downgrade", "convert", "migrate", "switch",
        "simplify/simplified", "tighten", "wrap/wrapped", "wire", "hook", "link", "document", "register", "enable", "disable",
        "configure", "point", "mark", "rework", "restructure", "reorganise", "reorganize", "optimise", "optimize", "split/split",
        "extract", "inject", "restore", "implement", "swap/swapped", "harden", "handle", "instrument", "apply/applied",
        "reformat/reformatted", "format/formatted", "annotate", "cover", "expose", "integrate", "connect", "mount", "parametrize",
        "parameterize", "parametrise", "pin/pinned", "resolve", "address", "expand", "rewire", "port", "inline", "guard", "gate",
        "translate", "sort", "raise", "lower", "unify/unified", "alter", "amend", "clean", "reduce", "increase", "set/set", "make/made",
        "use", "import", "export", "teach/taught", "touch", "centralise", "centralize", "consolidate", "deduplicate", "memoize",
        "validate", "reorder", "localise", "localize", "type", "deprecate", "gut/gutted", "streamline", "modernise", "modernize",
        "rework", "reword", "flip/flipped", "relax", "loosen", "quote", "escape", "cache", "throttle", "debounce", "override/overrode/overridden",
        "comment", "shorten", "speed/sped", "secure", "limit", "cap/capped", "load", "hide/hid/hidden", "unskip/unskipped",
        "stub/stubbed", "mock", "bring/brought", "turn", "sanitise", "sanitize", "encrypt", "plumb", "thread", "normalise", "normalize", "refresh", "bless", "backport", "rebase", "realign", "sync", "synchronise",
        "synchronize", "trap/trapped", "isolate", "repair", "redirect", "tidy/tidied", "reset/reset", "scope", "silence", "suppress", "squash", "unwrap/unwrapped",
        "flatten", "hoist", "lift", "widen", "narrow", "vectorise", "vectorize", "batch", "chain", "lazy-load", "prefix", "suffix", "invert",
        "revise", "polish", "decouple", "repoint", "retarget/retargeted", "parallelise", "parallelize", "future-proof", "de-duplicate",
    )
    | _forms("delete", "delete", "remove", "drop/dropped", "strip/stripped", "purge", "erase", "trim/trimmed", "prune", "cut/cut")
    | _forms("move", "rename", "move", "relocate", "take/took/taken", "pull", "factor", "copy/copied", "duplicate", "clone")
    | _forms("run", "run/ran", "rerun/reran", "re-run/re-ran", "execute", "re-execute", "invoke")
    | _forms("verify", "verify/verified", "check", "test", "confirm", "build/built", "compile", "lint", "flash", "reproduce", "measure", "benchmark", "profile", "install", "deploy", "start", "restart", "launch", "boot", "exercise", "smoke-test", "type-check", "typecheck", "double-check", "sanity-check", "sanity-tested",
        "stress-test", "load-test", "diff/diffed", "preview", "seed")
)  # fmt: skip
VERBS["running"] = VERBS["re-running"] = ("run", "ing")
VERBS["run"] = ("run", "base")
VERBS["rid"] = ("delete", "past")
AMBIGUOUS = listed(
    "test build lint check output link type cache format patch comment cover export import set put cut split mock stub"
)
"""Words that begin a sentence as a noun as often as they begin an instruction."""
MENTIONS_ONLY = frozenset({"use", "used", "uses", "using", "import", "imports", "imported", "load", "loaded", "loads"})
"""Verbs that change a file only where the words before it say so: an import line, not the imported file."""
SWAPS = frozenset(
    {"replaced", "replace", "replaces", "swapped", "switched", "changed", "documented", "renamed", "converted", "moved"}
)
"""Verbs whose `with` or `by` names what something became, not the tool that did it."""

NEVER = listed("""not never cannot unable will would could should can may might must shall going need needs needed want wants wanted tried try
    tries trying attempted attempt considered consider plan plans planned please if unless once until whether you failed fails refused
    without nothing neither nor none had let let's ought hope hoped expect expected supposed gonna i'll i'd we'll we'd you'll you'd it'd
    it'll they'd ill avoid avoided decided intended intend meant no instead rather than prevent prevents forgot forgotten remember
    seems apparently looks appears wish wanting recommend recommended recommends suggest suggested suggesting don't dont""")
"""A word of these before the verb, in its clause: planned, suggested, conditional, negated, attempted."""
SUBJECTS = listed("""i we i've we've ive weve i'm have has 've also now then and next first second finally additionally successfully just already ok so
    hey done perfect lastly afterwards therefore both all too further furthermore simply properly fully thus subsequently carefully
    manually temporarily again instead only either still accordingly previously earlier quickly then, it's that's pr change commit
    this branch me myself am been be newly slightly completely partially correctly automatically entirely""") - {
    "instead",
    "previously",
    "earlier",
}
OTHERS = listed("""author team commit someone somebody he she they colleague upstream user customer maintainer maintainers contributor ci bot
    dependabot tom description issue ticket reporter reviewer platform said says who which that whoever renovate""")
"""Somebody or something else did it."""
BE = listed("was were been is are be being got gets get isn't aren't wasn't weren't it's")
ADJECTIVAL = listed(
    "the a an this these those its their any newly each every some my your our of no freshly recently one two three four five several few new other another more"
)
TO_OBJECT = listed("the a an this our its my both all each every")
STOPPERS = listed("""with by using for so which that because since like instead rather than after before based following similar via per according
    as when while where whose if unless until during against matching without unlike about except excluding besides""")
"""After these, a path is a circumstance of the action and not what it was done to."""
INTO = listed("in to into at throughout across within inside on onto under of from as")
DIRECTORY = listed("directory folder dir directories folders package")
WHOLE_FILE = listed("""file files module component class hook page script service middleware provider helper package utility util suite migration
    composable view controller model endpoint fixture fixtures config configuration template workflow document doc schema store widget
    screen test tests spec specs dockerfile makefile readme wrapper client handler parser reader writer loader plugin extension command
    adapter repository interface library crate header stylesheet notebook dashboard guide policy job worker task mapper serializer
    directory folder router route reducer slice context layout dialog form""")
"""`new <noun>` beside a path means that the file itself is new."""

TOOLS = listed("""npm npx yarn pnpm bun deno node pytest py.test python python3 python2 py pip pip3 pipx pipenv poetry uv uvx hatch nox tox ruff
    mypy black isort flake8 pylint pyright bandit coverage go gofmt golangci-lint cargo rustc rustfmt make cmake ctest ninja bazel
    docker docker-compose podman kubectl helm terraform tofu ansible ansible-playbook git gh mvn mvnw gradle gradlew ant sbt lein
    bundle rails rake rspec ruby gem rubocop dotnet msbuild swift xcodebuild pod fastlane flutter dart mix elixir iex php composer
    phpunit artisan phpstan psalm vendor/bin/phpunit tsc eslint prettier stylelint jest vitest mocha ava tap playwright cypress karma
    nx turbo lerna vite webpack rollup esbuild dbt alembic sqlfluff psql mysql sqlite3 redis-cli curl wget bash sh zsh rm mv cp mkdir
    touch chmod ls cat grep rg sed awk find tar actionlint shellcheck hadolint yamllint markdownlint west idf.py platformio pio just
    task stack cabal ghc zig nix nix-build gcc g++ clang meson autoreconf ./configure pip-compile pre-commit sphinx-build mkdocs typedoc
    buf protoc prisma sequelize knex ng vue nuxt next gatsby hugo jekyll serverless sam aws gcloud az pulumi vagrant packer julia
    rscript perl prove crystal nim forge hardhat truffle anchor manage.py django-admin flask uvicorn gunicorn celery locust k6 ab
    lighthouse semgrep snyk trivy codespell vale act svelte-check astro storybook wasm-pack rmdir del copy move powershell pwsh
    runtests.py jupyter nbconvert papermill snakemake nextflow openssl ssh scp rsync systemctl supabase wrangler vercel netlify
    ansible-lint kustomize kubeconform kubeval tflint tfsec checkov dune opam ocaml gleam rebar3 rustup brew apt apt-get apk dnf twine pdm rye
    micromamba tsx ts-node biome oxlint knip depcheck madge size-limit lighthouse-ci lhci eas react-native
    xcrun adb gotestsum staticcheck govulncheck goreleaser mockgen sqlc flyway liquibase dbmate diesel sqlx
    wasm-bindgen miri nextest twister idf openapi-generator openapi-generator-cli swagger-cli redocly graphql-codegen grpcurl
    ghz wrk vegeta jq yq xmllint html-proofer lychee linkcheck tectonic latexmk pdflatex pandoc quarto
    pydocstyle vulture xenon deptry refurb pyupgrade autoflake autopep8 yapf basedpyright pyre pytype mutmut
    vitest-run phpcs phpcbf php-cs-fixer drush
    standardrb brakeman srb lit-analyzer tsup unbuild rimraf cross-env concurrently nodemon pm2
    docker-buildx buildah skopeo minikube k3d k9s skaffold argocd istioctl
    bats clojure kotlinc ktlint detekt swiftlint clippy cppcheck valgrind clang-tidy clang-format spectral stryker c8 nyc tape""")
"""First words of commands."""

EXTENSIONS = listed("""py pyi pyx ipynb js jsx ts tsx mjs cjs mts cts vue svelte astro html htm css scss sass less json jsonc json5 yaml yml toml ini cfg
    conf env md mdx rst txt adoc tex csv tsv parquet xlsx xls docx pdf png jpg jpeg svg gif webp ico java kt kts groovy gradle scala
    clj cljs edn ex exs erl hrl go mod sum rs rb erb rake gemspec php phtml cs csproj fsproj sln fs vb swift m mm h hpp hh c cc cpp cxx
    cu cuh sh bash zsh fish ps1 psm1 bat cmd sql db sqlite sqlite3 graphql gql proto tf tfvars hcl nix lua pl pm r rmd jl dart zig nim hs lhs elm ml mli
    lock xml xsd xsl plist properties service dockerfile cmake mk po pot mo in out log hprof tgz gz tar zip wasm map snap patch diff
    feature storyboard xib pbxproj podspec rtf bib cls sty hbs ejs pug njk liquid j2 jinja jinja2 tmpl tpl cbl cob f90 f95 for asm s ino
    v sv vhd sol cairo move vy spec pem crt key ttf woff woff2 mp3 mp4 wav bin dat onnx pt pkl npy npz avro jar war keep gitkeep
    example template dist sample editorconfig http rest dbml prisma bicep jsonnet libsonnet cue rego bzl bazel star csx razor cshtml
    aspx resx xaml xcconfig entitlements strings arb g4 y l re rei res d di pas lpr dfm tcl awk vim el org ipy pth whl egg mdc typed
    excalidraw drawio puml mmd har jmx pcap ndjson jsonl geojson topojson shp xmind stories gd tscn tres mly mll opam cabal fnl roc
    gleam hx kdl ron slint qml qrc vcxproj nuspec wgsl glsl hlsl shader usd gltf glb fbx blend
    asmdef uproject uasset bazelrc bzlmod mill sbt cljc leex heex eex haml jbuilder twig
    blade phar mustache handlebars marko styl pcss postcss webmanifest xhtml avif bmp tiff eot otf icns psd sketch
    feather arrow orc h5 hdf5 pb tflite safetensors gguf ckpt joblib rds rda sas sav dta qmd lisp rkt clje fsx fsi hxx ipp tcc
    inl ld dts dtsi kicad_pcb kicad_sch bb bbclass bbappend tmux nu elv ksh csh applescript
    nft epp sls nomad tofu bu ign rockspec spc bpmn wsdl xslt rng avsc thrift capnp fbs raml apib tsp smithy
    ics vcf eml srt vtt ps eps epub mobi odt ods pptx ppt sb3 pyw pxd pth cfn sarif profdata
    lcov mjml mdoc nb wl wls m4 cnf coffee purs idr agda thy
    soql xcscheme xcworkspace xcstrings modulemap hpack opml bicepparam jsonnetfile tfstate tftest""")
NAMES = listed("""makefile dockerfile gemfile rakefile procfile jenkinsfile vagrantfile brewfile justfile podfile fastfile appfile cartfile
    license licence readme changelog contributing codeowners authors notice version kconfig build workspace pipfile
    containerfile tiltfile earthfile berksfile guardfile capfile snakefile cname""")
"""File names without an extension; in running text only those that cannot be a common word."""
PLAIN_WORDS = listed("license licence readme changelog contributing authors notice version build workspace cname")
PRODUCTS = listed("""next.js node.js vue.js express.js three.js d3.js react.js chart.js moment.js socket.io nuxt.js ember.js backbone.js alpine.js
    discord.js asp.net vb.net paper.js p5.js angular.js nest.js day.js hono.js solid.js bun.sh fly.io crates.io github.io""")
DOTTED = listed(""".env .gitignore .gitattributes .gitmodules .dockerignore .npmrc .nvmrc .editorconfig .prettierrc .eslintrc .eslintignore
    .prettierignore .babelrc .npmignore .flake8 .pylintrc .coveragerc .rubocop.yml .travis.yml .gitlab-ci.yml .htaccess .mailmap
    .python-version .node-version .ruby-version .tool-versions .bashrc .zshrc .profile .vimrc .clang-format .clang-tidy .env.example
    .browserslistrc .stylelintrc .swiftlint.yml .yarnrc .curlrc .netrc .envrc .gitkeep .rspec .solhint.json .helmignore .terraformignore
    .vscodeignore .watchmanconfig .buckconfig .credo.exs .formatter.exs .iex.exs .scalafmt.conf .jshintrc .lintstagedrc .huskyrc
    .dockerignore.prod .slugignore .gcloudignore .ackrc .inputrc .sequelizerc .swcrc .parcelrc .nycrc .mocharc .c8rc""")
