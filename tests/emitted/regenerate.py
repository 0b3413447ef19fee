"""Write the golden files anew: python -m tests.emitted.regenerate"""

from s2sad.ir.errors import S2sadError
from tests.emitted.cases import HERE, cases


def main() -> None:
    """Write every golden file and name those that changed."""
    for name, case in cases().items():
        path = HERE / f"{name}.py"
        try:
            source = case.source()
        except S2sadError as error:
            print("refused", path.name, error)
            continue
        if not path.exists() or path.read_text() != source:
            path.write_text(source)
            print("wrote", path.name)


if __name__ == "__main__":
    main()
